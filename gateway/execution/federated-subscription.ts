import type { PlanNode } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { endableStream, linkedController } from '../../foundation/concurrency/endable-stream.ts'
import { loopTurns } from '../../foundation/concurrency/loop-turns.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { requestContext } from '../../foundation/http/request-context.ts'
import { maskedError } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import { cursorOf, cursorTooOld, isLagged, placeIn, type SubscriptionContext } from '../operation/cursor.ts'
import type { ResumeRule } from '../operation/resume.ts'
import { arrivalOf, arrived, type SubgraphSource } from '../sources/subgraph-source.ts'
import type { PlannedSubscription } from './runnable-operation.ts'
import type { Fetchers } from './steps/execution.ts'

/** The plan of a subscription with its variables. */
export interface SubscriptionPlan extends PlannedSubscription {
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** executes the sequence [primary, rest] with these sources; never rejects */
  readonly complete: (sources: Fetchers, context: RequestContext) => Promise<ExecutionResult>
}

export interface FederatedSubscription {
  readonly plan: SubscriptionPlan
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: SubscriptionContext
  /** time limit for completing one event by other subgraphs */
  readonly eventTimeoutMs: number
  /** whether errors are masked (default: true) */
  readonly maskErrors?: boolean
}

/** The results of a subscription. Returning it or aborting the signal of its context ends it immediately. */
export interface SubscriptionStream extends AsyncIterableIterator<ExecutionResult> {
  /**
   * Completes later events by the plan of another supergraph; the stream of the subgraph and the event in progress are kept. @returns false, without
   * effect, if the plan or its sources differ
   */
  moveTo(plan: SubscriptionPlan): boolean
}

/**
 * Executes a subscription whose root field is in one subgraph and whose other fields may be in others.
 *
 * The plan is a first fetch and the rest. Each event is executed as that sequence, with a source that answers the first fetch with the event:
 * merging, rewrites, error paths, @skip and @include, aliases and null propagation are then those of any other operation. Numbered events have a
 * cursor, from which a stream can resume.
 *
 * @returns the refusal of the subgraph, or the stream
 */
export async function federatedSubscription(subscription: FederatedSubscription): Promise<SubscriptionStream | ExecutionResult> {
  const { context, eventTimeoutMs: timeoutMs, maskErrors = true } = subscription
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
      context: requestContext({ principal, requestId, log, timeoutMs: Number.POSITIVE_INFINITY, disconnected: end.signal }),
    })
    .catch((error: unknown) => {
      end.abort()
      throw error
    })
  if (!(Symbol.asyncIterator in upstream)) {
    end.abort()
    const errors = upstream.errors ?? [new GraphQLError('The subgraph did not start the subscription')]
    return { errors: errors.map((error) => maskedError(error, { requestId, log, signal: context.signal, maskErrors })) }
  }

  let isFirst = true
  const completed = async (event: ExecutionResult): Promise<ExecutionResult> => {
    await eventTurn(context.address)
    const hasMissedEvents = isFirst && cursor !== undefined && resume !== undefined && isLagged(event, resume)
    isFirst = false
    if (hasMissedEvents) {
      end.abort()
      return { errors: [cursorTooOld(requestId)] }
    }
    // the plan adds fields of other subgraphs to the event
    const reached = resume && cursorOf(event, resume)
    const arrivedAt = arrivalOf(event)
    const result = await fullResult(event)
    return arrived(reached === undefined ? result : { ...result, extensions: { ...result.extensions, cursor: reached } }, arrivedAt)
  }
  const fullResult = async (event: ExecutionResult): Promise<ExecutionResult> => {
    // one context per event: its loaders must see changes since the last one
    using eventContext = requestContext({ principal, requestId, traceparent, log, timeoutMs, disconnected: end.signal })
    const primarySource: Pick<SubgraphSource, 'fetch'> = {
      fetch: (request) => (request.query === primary.operation ? event : source.fetch(request)),
    }
    return await plan.complete({ ...plan.sources, [primary.serviceName]: primarySource }, eventContext)
  }

  return {
    ...endableStream(upstream, end, completed, (error) => failedResult(error, { requestId, log, maskErrors })),
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

/**
 * Waits until an event may be completed, of all subscriptions of the process: one event may concern hundreds of different subscriptions of one
 * client. A stream waits with one event at most.
 */
const eventTurn = loopTurns({
  maxPerOwner: Number.POSITIVE_INFINITY,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitMs: Number.POSITIVE_INFINITY,
})

function startOf(resume: ResumeRule | undefined, start: unknown): Readonly<Record<string, unknown>> {
  return resume === undefined || start === undefined ? {} : { [resume.variable]: start }
}

/** Returns the names of the subgraphs of a plan. */
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
