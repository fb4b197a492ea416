import type { PlanNode } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { maskedError } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import type { PlannedSubscription } from '../planning/planned-operation.ts'
import type { Fetchers } from '../planning/steps/execution.ts'
import { requestContext } from '../request-context.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { arrivalOf, arrived } from './arrival.ts'
import { cursorOf, cursorTooOld, isLagged, placeIn, type SubscriptionContext } from './cursor.ts'
import { endableStream, linkedController } from './endable-stream.ts'
import type { ResumeRule } from './resume.ts'

/** By what a subscription runs, with its variables. */
export interface SubscriptionPlan extends PlannedSubscription {
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** executes the sequence [primary, rest] with these sources; never rejects */
  readonly complete: (sources: Fetchers, context: RequestContext) => Promise<ExecutionResult>
}

export interface FederatedSubscription {
  readonly plan: SubscriptionPlan
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: SubscriptionContext
  /** how long other subgraphs may take to complete one event */
  readonly eventTimeoutMs: number
}

/** The results of a subscription. Returning it, or aborting the signal of its context, ends it at once. */
export interface SubscriptionStream extends AsyncIterableIterator<ExecutionResult> {
  /**
   * Completes the events to come by a plan of another supergraph; the stream of the subgraph stays, and so does the event that is being
   * completed.
   * @returns false, and nothing has changed, where the plan is another or leads to other sources
   */
  moveTo(plan: SubscriptionPlan): boolean
}

/**
 * A subscription whose root field lives in one subgraph and whose other fields may live in others.
 *
 * The plan of a subscription is its first fetch and the rest. Each event is executed as the sequence of both, with a source in place of
 * the first one's that answers that fetch with the event: merging, rewrites, error paths, @skip and @include, aliases and null bubbling
 * are then those of any other operation. Where events are numbered each result has its cursor, and a stream can begin after one.
 *
 * @returns the refusal of the subgraph, or the stream
 */
export async function federatedSubscription(subscription: FederatedSubscription): Promise<SubscriptionStream | ExecutionResult> {
  const { context, eventTimeoutMs: timeoutMs } = subscription
  let { plan } = subscription
  const variables = plan.named(subscription.variables)
  const { resume } = plan
  const { primary } = plan.node
  const source = plan.sources[primary.serviceName]
  if (source === undefined) throw new Error(`no source for the subgraph ${primary.serviceName}`)
  const { principal, requestId, log, cursor, traceparent } = context
  const place = cursor === undefined ? undefined : placeIn(cursor, resume)

  const end = linkedController(context.signal)
  const used = (primary.variableUsages ?? []).filter((name) => Object.hasOwn(variables, name))
  const upstream = await source
    .stream({
      query: primary.operation,
      operationName: primary.operationName,
      variables: {
        ...Object.fromEntries(used.map((name) => [name, variables[name]])),
        ...startOf(resume, place ?? resume?.start(variables)),
      },
      ...(resume === undefined ? {} : { resume }),
      context: requestContext({ principal, requestId, log, timeoutMs: Number.POSITIVE_INFINITY, clientGone: end.signal }),
    })
    .catch((error: unknown) => {
      end.abort()
      throw error
    })
  if (!(Symbol.asyncIterator in upstream)) {
    end.abort()
    const errors = upstream.errors ?? [new GraphQLError('The subgraph did not start the subscription')]
    return { errors: errors.map((error) => maskedError(error, context)) }
  }

  let isFirst = true
  const completed = async (event: ExecutionResult): Promise<ExecutionResult> => {
    const isAnew = isFirst && cursor !== undefined && resume !== undefined && isLagged(event, resume)
    isFirst = false
    if (isAnew) {
      end.abort()
      return { errors: [cursorTooOld(requestId)] }
    }
    // the plan adds to the event what others know of it
    const reached = resume && cursorOf(event, resume)
    const arrivedAt = arrivalOf(event)
    const result = await fullResult(event)
    return arrived(reached === undefined ? result : { ...result, extensions: { ...result.extensions, cursor: reached } }, arrivedAt)
  }
  const fullResult = async (event: ExecutionResult): Promise<ExecutionResult> => {
    // A context for each event: its loaders must see what has changed since the last one.
    using eventContext = requestContext({ principal, requestId, traceparent, log, timeoutMs, clientGone: end.signal })
    const primarySource: Pick<SubgraphSource, 'fetch'> = {
      fetch: (request) => (request.query === primary.operation ? event : source.fetch(request)),
    }
    return await plan.complete({ ...plan.sources, [primary.serviceName]: primarySource }, eventContext)
  }

  return {
    ...endableStream(upstream, end, completed, (error) => failedResult(error, { requestId, log })),
    moveTo(next) {
      if (next.identity !== plan.identity) return false
      const { primary: first, rest } = plan.node
      const names = [first.serviceName, ...subgraphsOf(rest)]
      if (names.some((name) => next.sources[name] !== plan.sources[name])) return false
      plan = next
      return true
    },
  }
}

function startOf(resume: ResumeRule | undefined, start: unknown): Readonly<Record<string, unknown>> {
  return resume === undefined || start === undefined ? {} : { [resume.variable]: start }
}

/** Names of the subgraphs from which a plan fetches. */
function subgraphsOf(node: PlanNode | undefined): readonly string[] {
  switch (node?.kind) {
    case 'Fetch':
      return [node.serviceName]
    case 'Flatten':
      return subgraphsOf(node.node)
    case 'Sequence':
    case 'Parallel':
      return node.nodes.flatMap(subgraphsOf)
    case 'Condition':
      return [...subgraphsOf(node.ifClause), ...subgraphsOf(node.elseClause)]
    default:
      return []
  }
}
