import type { SubscriptionNode } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import { failedResult, maskedError } from '../errors.ts'
import type { Fetchers } from '../planning/steps/execution.ts'
import { requestContext } from '../request-context.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { endableStream, linkedController } from './endable-stream.ts'
import type { ResumeRule } from './resume.ts'

export interface FederatedSubscription {
  readonly node: SubscriptionNode
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: RequestContext
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** how long other subgraphs may take to complete one event */
  readonly eventTimeoutMs: number
  readonly resume: ResumeRule | undefined
  /** executes the sequence [primary, rest] with these sources; never rejects */
  readonly complete: (sources: Fetchers, context: RequestContext) => Promise<ExecutionResult>
}

/**
 * A subscription whose root field lives in one subgraph and whose other fields may live in others.
 *
 * The plan of a subscription is its first fetch and the rest. Each event is executed as the sequence of both, with a source in place of
 * the first one's that answers that fetch with the event: merging, rewrites, error paths, @skip and @include, aliases and null bubbling
 * are then those of any other operation.
 *
 * @returns the refusal of the subgraph, or the stream. Returning the stream, or aborting the context's signal, ends it at once.
 */
export async function federatedSubscription(
  subscription: FederatedSubscription,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { node, resume, variables, context, sources, eventTimeoutMs: timeoutMs } = subscription
  const { primary } = node
  const source = sources[primary.serviceName]
  if (source === undefined) throw new Error(`no source for the subgraph ${primary.serviceName}`)
  const { principal, requestId, log } = context

  const end = linkedController(context.signal)
  const used = (primary.variableUsages ?? []).filter((name) => Object.hasOwn(variables, name))
  const upstream = await source
    .stream({
      query: primary.operation,
      operationName: primary.operationName,
      variables: { ...Object.fromEntries(used.map((name) => [name, variables[name]])), ...startOf(resume, variables) },
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

  const completed = async (event: ExecutionResult): Promise<ExecutionResult> => {
    // A context for each event: its loaders must see what has changed since the last one.
    using eventContext = requestContext({ principal, requestId, log, timeoutMs, clientGone: end.signal })
    const primarySource: Pick<SubgraphSource, 'fetch'> = {
      fetch: (request) => (request.query === primary.operation ? event : source.fetch(request)),
    }
    return await subscription.complete({ ...sources, [primary.serviceName]: primarySource }, eventContext)
  }

  return endableStream(upstream, end, completed, (error) => failedResult(error, { requestId, log }))
}

function startOf(resume: ResumeRule | undefined, variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const start = resume?.start(variables)
  return resume === undefined || start === undefined ? {} : { [resume.variable]: start }
}
