import type { QueryPlan, SubscriptionNode } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../subgraphs/foundation/request-context.ts'
import { endableStream, linkedController } from './endable-stream.ts'
import { graphqlErrorOf, maskedError } from './error-masking.ts'
import { requestContext } from './request-context.ts'
import { responseOf, type SubgraphSource } from './subgraph-source.ts'

export interface FederatedSubscription {
  readonly node: SubscriptionNode
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: RequestContext
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** how long other subgraphs may take to complete one event */
  readonly eventTimeoutMs: number
  /** executes a plan for the operation, with these services */
  readonly run: (
    plan: QueryPlan,
    services: Readonly<Record<string, Pick<SubgraphSource, 'process'>>>,
    context: RequestContext,
  ) => Promise<ExecutionResult>
}

/**
 * A subscription whose root field lives in one subgraph and whose other fields may live in others.
 *
 * Apollo's executor refuses a subscription plan, but runs the sequence [primary, rest] as it stands: it is given a service in place of
 * the primary one that answers the primary fetch with the event. Rewrites, merging, error paths, @skip and @include, aliases and null
 * bubbling are then Apollo's own, for every event.
 *
 * @returns the refusal of the subgraph, or the stream. Returning the stream, or aborting the context's signal, ends it at once.
 */
export async function federatedSubscription(
  subscription: FederatedSubscription,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { node, variables, context, sources, eventTimeoutMs: timeoutMs } = subscription
  const { primary, rest } = node
  const source = sources[primary.serviceName]
  if (source === undefined) throw new Error(`no source for the subgraph ${primary.serviceName}`)
  const plan: QueryPlan = { kind: 'QueryPlan', node: rest === undefined ? primary : { kind: 'Sequence', nodes: [primary, rest] } }
  const { principal, requestId, log } = context

  const end = linkedController(context.signal)
  const used = (primary.variableUsages ?? []).filter((name) => Object.hasOwn(variables, name))
  const upstream = await source
    .stream({
      query: primary.operation,
      operationName: primary.operationName,
      variables: Object.fromEntries(used.map((name) => [name, variables[name]])),
      context: { principal, requestId, log, signal: end.signal, loaders: new Map() },
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
    const primarySource: Pick<SubgraphSource, 'process'> = {
      process: (options) => (options.request.query === primary.operation ? Promise.resolve(responseOf(event)) : source.process(options)),
    }
    return await subscription.run(plan, { ...sources, [primary.serviceName]: primarySource }, eventContext)
  }

  return endableStream(upstream, end, completed, (error) => ({ errors: [maskedError(graphqlErrorOf(error), { requestId, log })] }))
}
