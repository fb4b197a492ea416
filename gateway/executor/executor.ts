import '../supergraph/apollo-opt-out.ts'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { QueryPlan } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError, type GraphQLScalarType, type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql'
import { NotFound } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { refusalErrors } from '../authorization/refusal-errors.ts'
import { answerPolicy, type CachePolicy } from '../caching/cache-policy.ts'
import { type CachedSourceOptions, cachedSource } from '../caching/cached-source.ts'
import type { EntityCache } from '../caching/entity-cache.ts'
import { type MaskingContext, maskedError } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import { withUnknownOutcome } from '../errors/outcome-unknown.ts'
import { federatedSubscription, type SubscriptionPlan, type SubscriptionStream } from '../execution/federated-subscription.ts'
import type { Answer, Delivery } from '../execution/incremental/answer.ts'
import { operationPlanner } from '../execution/planned-operation.ts'
import type { RunnableOperation } from '../execution/runnable-operation.ts'
import type { Fetchers } from '../execution/steps/execution.ts'
import type { SubscriptionContext } from '../operation/cursor.ts'
import type { Variables } from '../operation/declared-variables.ts'
import { oncePerOperation, operationsOf, type PreparedOperation, type PrepareOperation } from '../operation/prepared-operation.ts'
import { variableChecks } from '../operation/variable-values.ts'
import type { OverrideLabels } from '../planning/override-labels.ts'
import type { PlanCache } from '../planning/plan-cache.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import type { CostDirectives } from '../supergraph/cost-directives.ts'
import { type AuthorizationOptions, checkAuthorization, policyDecision } from './caller-authorization.ts'
import { callerOperations } from './caller-operation.ts'
import { clientResults } from './client-results.ts'

export type { PreparedOperation } from '../operation/prepared-operation.ts'

type Sources = Readonly<Record<string, SubgraphSource>>

/** The single entry point to the data, for HTTP, WebSocket and REST. */
export interface Executor {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** text of the supergraph */
  readonly supergraph: string
  /** costs declared by the supergraph */
  readonly costs: CostDirectives
  /** Returns how long a query response may be cached, by the hints of the supergraph; undefined: not at all */
  cachePolicy(operation: PreparedOperation): CachePolicy | undefined
  /** Caches by text and name; `read` validates a text that is new to the entry point (default: without limits). */
  readonly prepare: PrepareOperation
  /** Returns the refusal of variables that do not match their types; undefined if they do. */
  invalidVariables(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult | undefined
  /**
   * Executes an operation. Never rejects: every error is in the result, masked, with `extensions.code` and the request id. @param delivery - whether
   * deferred fragments may be delivered later (default: all in one result)
   */
  execute(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
    delivery?: Delivery,
  ): Promise<Answer>
  /** Opens a file that a field refers to; the id starts with the name of its subgraph. @throws {NotFound} {EngineUnavailable} */
  openFile(id: string, context: RequestContext): Promise<Readable>
  /**
   * Starts a subscription; a result instead of a stream is its refusal. The stream ends when it is returned or the signal of the context is aborted;
   * every event has `eventTimeoutMs` for completion by other subgraphs. Numbered events have `extensions.cursor`, and a context with a cursor resumes
   * after it.
   */
  subscribe(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: SubscriptionContext,
  ): Promise<SubscriptionStream | ExecutionResult>
  /** Returns the plan of a subscription, for one that runs on the previous supergraph. @returns the refusal if it would be refused */
  subscriptionPlan(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<SubscriptionPlan | ExecutionResult>
  /** Returns the query plan of a query or mutation for this caller. @throws {GraphQLError} if it cannot be planned */
  planOf(operation: PreparedOperation, context: RequestContext): Promise<QueryPlan>
}

/** Records what an executor does; `GatewayTelemetry` implements it. */
export interface ExecutionObserver {
  /** Wraps a subgraph to record its fetches. */
  source(name: string, source: SubgraphSource): SubgraphSource
  /** Records cache hits and misses of a fetch. */
  cached(subgraph: string, hits: number, misses: number): void
  /** Records the planning of an uncached operation. @param startedAt - by performance.now() */
  planned(context: RequestContext, startedAt: number): void
  /** Records the completion of a subscription event. @returns a function to call with its result */
  event(operation: PreparedOperation, context: RequestContext): (result: Pick<ExecutionResult, 'errors'>) => void
}

export interface ExecutorOptions {
  /** text of a Federation 2 supergraph */
  readonly supergraph: string
  /** sources of its subgraphs, by name */
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** time limit for completing one subscription event by other subgraphs */
  readonly eventTimeoutMs: number
  /** custom scalars of the subgraphs that validate literals and variables here; others are validated by the subgraphs */
  readonly scalars?: readonly GraphQLScalarType[]
  /** plans of previous supergraphs; new ones are added */
  readonly plans?: PlanCache
  /** number of cached prepared operations with their plans */
  readonly planCacheSize?: number
  /** labels of `@override(label:)` that are on, or a function that decides; `percent(n)` labels need neither (default: none) */
  readonly overrideLabels?: OverrideLabels
  /** how callers are authorised by `@authenticated`, `@requiresScopes` and `@policy`; a supergraph with these directives is refused without these options */
  readonly authorization?: AuthorizationOptions
  /** caches entities of queries as `@cacheControl` declares (default: no cache) */
  readonly entityCache?: EntityCache | undefined
  /** records planning, fetches, cache hits and events */
  readonly telemetry?: ExecutionObserver | undefined
  /** whether an error without a code is returned as "Internal server error" and logged (default: true) */
  readonly maskErrors?: boolean
}

/** @throws {Error} if the supergraph is invalid, a subgraph has no source, or it protects fields without authorization options */
export function createExecutor(options: ExecutorOptions): Executor {
  const {
    supergraph: sdl,
    eventTimeoutMs,
    planCacheSize = 1000,
    overrideLabels = [],
    authorization,
    telemetry,
    maskErrors = true,
  } = options
  const planner = operationPlanner(sdl, options.plans)
  const { schema } = planner
  const sources = observedSources(options, planner.subgraphs)
  const querySources = cachedSources(options, sources, planner.caching)
  for (const scalar of options.scalars ?? []) checkValues(schema, scalar)
  const planned = oncePerOperation(({ document, definition }) => planner.planned(document, definition))
  const variableErrors = variableChecks(schema)
  const prepare = operationsOf(schema, planCacheSize)
  checkAuthorization(planner.requirements, authorization)
  const { reject = false, refusalsIn = 'errors' } = authorization ?? {}
  const granted = policyDecision(schema, authorization, (text, variables, context) =>
    planned(prepare(text)).without([], []).run(variables, context, sources),
  )
  const onPlanned = telemetry && ((context: RequestContext, startedAt: number) => telemetry.planned(context, startedAt))
  const callerOperation = callerOperations({ planned, granted, overrideLabels, onPlanned })
  const masking = (context: RequestContext): MaskingContext => ({
    requestId: context.requestId,
    // most requests log nothing
    get log() {
      return context.log
    },
    signal: context.signal,
    maskErrors,
  })
  const { resultOf, answerOf } = clientResults(refusalsIn, masking)

  const invalidVariables: Executor['invalidVariables'] = (operation, variables, context) => {
    if ((operation.definition.variableDefinitions ?? []).length === 0) return undefined
    const errors = variableErrors(operation, variables)
    return errors.length === 0 ? undefined : { errors: errors.map((error) => maskedError(error, masking(context))) }
  }
  /** Returns the refusal of an operation whose caller may not see a part of it, with `reject`; undefined otherwise. */
  const rejection = ({ refused }: RunnableOperation, variables: Variables, { requestId }: RequestContext): ExecutionResult | undefined => {
    const paths = reject ? refused(variables) : []
    return paths.length === 0 ? undefined : { errors: refusalErrors(paths, requestId), data: null }
  }

  const subscriptionPlan: Executor['subscriptionPlan'] = async (operation, variables, context) => {
    if (operation.kind !== 'subscription') throw badRequest('The operation is not a subscription')
    const runnable = await callerOperation(operation, context)
    const { subscription, run, refused } = runnable
    const refusal = invalidVariables(operation, variables, context) ?? rejection(runnable, variables, context)
    if (refusal !== undefined) return refusal
    if (subscription === undefined) return { errors: refusalErrors(refused(variables), context.requestId) }
    const complete = async (fetchers: Fetchers, eventContext: RequestContext): Promise<ExecutionResult> => {
      const end = telemetry?.event(operation, eventContext)
      const executed = run(variables, eventContext, fetchers).then((execution) => resultOf(execution, eventContext))
      const result = await executed.catch((error: unknown) => failedResult(error, masking(eventContext)))
      end?.(result)
      return result
    }
    return { ...subscription, sources, complete }
  }

  return {
    schema,
    supergraph: sdl,
    costs: planner.costs,
    cachePolicy: answerPolicy(planner.caching),
    prepare,
    invalidVariables,
    subscriptionPlan: (operation, variables, context) =>
      subscriptionPlan(operation, variables, context).catch((error: unknown) => failedResult(error, masking(context))),
    async execute(operation, variables, context, delivery = 'whole') {
      try {
        if (operation.kind === 'subscription') throw badRequest('Subscriptions require WebSocket (graphql-transport-ws)')
        const variableErrors = invalidVariables(operation, variables, context)
        if (variableErrors !== undefined) return variableErrors
        const runnable = await callerOperation(operation, context, delivery === 'in parts' ? variables : undefined)
        const refusal = rejection(runnable, variables, context)
        if (refusal !== undefined) return refusal
        return answerOf(await runnable.run(variables, context, operation.kind === 'query' ? querySources : sources), context)
      } catch (error) {
        return withUnknownOutcome(failedResult(error, masking(context)), context)
      }
    },
    async planOf(operation, context) {
      const { plan } = await callerOperation(operation, context)
      return { kind: 'QueryPlan', ...(plan && { node: plan }) }
    },
    async openFile(id, context) {
      const open = sources[id.split('.', 1)[0] ?? '']?.openFile
      if (open === undefined) throw new NotFound()
      return open(id, context)
    },
    async subscribe(operation, variables, context) {
      try {
        const plan = await subscriptionPlan(operation, variables, context)
        return 'node' in plan ? await federatedSubscription({ plan, variables, context, eventTimeoutMs, maskErrors }) : plan
      } catch (error) {
        return failedResult(error, masking(context))
      }
    },
  }
}

/** @throws {Error} naming the subgraphs without a source */
function observedSources({ sources, telemetry }: ExecutorOptions, subgraphs: readonly string[]): Sources {
  const missing = subgraphs.filter((name) => sources[name] === undefined)
  if (missing.length > 0) throw new Error(`no source for the subgraphs ${missing.join(', ')}`)
  if (telemetry === undefined) return sources
  return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, telemetry.source(name, source)]))
}

/** Returns the sources of queries. Mutations and events bypass the cache, since they read entities that they have changed. */
function cachedSources(
  { supergraph, entityCache: cache, telemetry }: ExecutorOptions,
  sources: Sources,
  rules: CachedSourceOptions['rules'],
): Sources {
  if (cache === undefined || !rules.hints.any) return sources
  const schemaHash = createHash('sha256').update(supergraph).digest('base64url')
  const cached = (name: string, source: SubgraphSource): SubgraphSource =>
    cachedSource(source, { cache, rules, schemaHash, name, onLookup: (hits, misses) => telemetry?.cached(name, hits, misses) })
  return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, cached(name, source)]))
}

/** Refuses an invalid literal or variable with its location; valid ones are passed on unchanged. */
function checkValues(schema: GraphQLSchema, { name, parseLiteral, parseValue }: GraphQLScalarType): void {
  const type = schema.getType(name)
  if (!isScalarType(type)) return
  type.parseLiteral = (node, variables) => {
    parseLiteral(node, variables)
    return valueFromASTUntyped(node, variables)
  }
  type.parseValue = (value) => {
    parseValue(value)
    return value
  }
}

const badRequest = (message: string): GraphQLError => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } })
