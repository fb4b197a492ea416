import './telemetry/apollo-opt-out.ts'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { QueryPlan } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError, type GraphQLScalarType, type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql'
import { FairTurns } from '../foundation/concurrency/fair-turns.ts'
import { NotFound, Overloaded } from '../foundation/fault.ts'
import type { RequestContext } from '../foundation/graphql/request-context.ts'
import { logOfRequest } from '../foundation/log.ts'
import type { CostDirectives } from './admission/cost-directives.ts'
import { oncePerOperation, operationsOf, type PreparedOperation, type PrepareOperation } from './admission/prepared-operation.ts'
import type { RefusedPath } from './authorization/allowed-operation.ts'
import { policiesByField } from './authorization/policy-field.ts'
import { type RefusalsIn, refusalErrors, withRefusals } from './authorization/reported-refusals.ts'
import type { Requirements } from './authorization/requirement.ts'
import { type GrantedPolicies, unmetRequirements } from './authorization/unmet.ts'
import { answerPolicy } from './caching/answer-policy.ts'
import type { CachePolicy } from './caching/cache-policy.ts'
import { cachedSource } from './caching/cached-source.ts'
import type { EntityCache } from './caching/entity-cache.ts'
import { maskedError } from './errors/masked-error.ts'
import { failedResult } from './errors/masked-result.ts'
import { truthful } from './errors/outcome-unknown.ts'
import type { Answer, DeferredPart, DeferredParts, Delivery } from './incremental/answer.ts'
import type { KeptPlans } from './planning/kept-plans.ts'
import { type OverrideLabels, overrideSwitch } from './planning/override-labels.ts'
import { operationPlanner, type RunnableOperation } from './planning/planned-operation.ts'
import type { Executed, ExecutedPart, ExecutedParts, Execution, Fetchers } from './planning/steps/execution.ts'
import { variableChecks } from './planning/variable-values.ts'
import type { SubgraphSource } from './sources/subgraph-source.ts'
import type { SubscriptionContext } from './subscriptions/cursor.ts'
import { federatedSubscription, type SubscriptionPlan, type SubscriptionStream } from './subscriptions/federated-subscription.ts'
import type { GatewayTelemetry } from './telemetry/gateway-telemetry.ts'

export type { PreparedOperation } from './admission/prepared-operation.ts'

/** The single entry point to the data, for HTTP, WebSocket and REST. */
export interface Executor {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** costs declared by the supergraph */
  readonly costs: CostDirectives
  /** Returns how long a query response may be cached, by the hints of the supergraph; undefined: not at all */
  cachePolicy(operation: PreparedOperation): CachePolicy | undefined
  /** Caches by text and name; `read` validates a text that is new to the entry point (default: without limits). */
  readonly prepare: PrepareOperation
  /** Returns the refusal of variables that do not match their types; undefined if they do. */
  unfitVariables(
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
  readonly plans?: KeptPlans
  /** number of cached prepared operations with their plans */
  readonly planCacheSize?: number
  /** labels of `@override(label:)` that are on, or a function that decides; `percent(n)` labels need neither (default: none) */
  readonly overrideLabels?: OverrideLabels
  /** how callers are authorised by `@authenticated`, `@requiresScopes` and `@policy`; a supergraph with these directives is refused without */
  readonly authorization?: AuthorizationOptions
  /** caches entities of queries as `@cacheControl` declares (default: no cache) */
  readonly entityCache?: EntityCache | undefined
  /** records durations of planning and fetches */
  readonly telemetry?: Pick<GatewayTelemetry, 'planned' | 'source' | 'cached' | 'event'> | undefined
}

/** Options of authorization. The caller of the executor authenticates principals and their scopes; policies are decided here. */
export interface AuthorizationOptions {
  readonly policies?: GrantedPolicies
  /** field of Query that decides instead: takes `policies: [String!]!` and returns those that the caller fulfils */
  readonly policyField?: string
  /** whether to refuse an operation with an unauthorized field as a whole (default: false) */
  readonly reject?: boolean
  /** default: errors */
  readonly refusalsIn?: RefusalsIn
}

/** @throws {Error} if the supergraph is invalid, a subgraph has no source, or it protects fields without authorization options */
export function createExecutor({
  supergraph: sdl,
  sources: given,
  eventTimeoutMs,
  scalars = [],
  plans,
  overrideLabels = [],
  planCacheSize = 1000,
  authorization,
  entityCache,
  telemetry,
}: ExecutorOptions): Executor {
  const planner = operationPlanner(sdl, plans)
  const missing = planner.subgraphs.filter((name) => given[name] === undefined)
  if (missing.length > 0) throw new Error(`no source for the subgraphs ${missing.join(', ')}`)
  const sources =
    telemetry === undefined ? given : Object.fromEntries(Object.entries(given).map(([name, each]) => [name, telemetry.source(name, each)]))
  const { schema } = planner
  const queried = entityCache === undefined ? sources : cachedSources(entityCache)
  for (const scalar of scalars) checkValues(schema, scalar)
  const planned = oncePerOperation(({ document, definition }) => planner.planned(document, definition))
  const turns = new FairTurns({ maxAtOnce: 1, maxPerOwner: 100, maxWaiting: 1000, maxWaitMs: 10_000 })
  /** operations that had their turn, or wait for it */
  const begun = new WeakMap<PreparedOperation, Promise<void> | 'begun'>()
  const variableErrors = variableChecks(schema)
  const overridesFor = overrideSwitch(overrideLabels)
  const prepare = operationsOf(schema, planCacheSize)
  checkAuthorization(planner.requirements, authorization)
  /** Operations whose planning time has already been recorded. */
  const known = new WeakSet<RunnableOperation>()
  const { reject = false, refusalsIn = 'errors', policyField } = authorization ?? {}
  const granted = policyField === undefined ? authorization?.policies : policiesByField(schema, policyField, asked)

  /** Entities that a mutation or an event has changed are not read from the cache. */
  function cachedSources(cache: EntityCache): Readonly<Record<string, SubgraphSource>> {
    const shared = { cache, rules: planner.caching, schemaHash: createHash('sha256').update(sdl).digest('base64url') }
    const cached = (name: string, source: SubgraphSource): SubgraphSource =>
      cachedSource(source, { ...shared, name, noted: (hits, misses) => telemetry?.cached(name, hits, misses) })
    if (!planner.caching.hints.any) return sources
    return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, cached(name, source)]))
  }

  async function asked(text: string, variables: Readonly<Record<string, unknown>>, context: RequestContext): Promise<Execution> {
    return planned(prepare(text)).without([], []).run(variables, context, sources)
  }

  /**
   * Waits before an operation is planned for the first time. One is planned in each turn of the event loop, and addresses take turns:
   * a client that sends many new operations delays the others by one plan at a time.
   * @throws {Overloaded} when too many operations wait
   */
  const planningTurn = async (operation: PreparedOperation, { address, signal }: RequestContext): Promise<void> => {
    const known = begun.get(operation)
    if (known === 'begun') return
    const turn =
      known ??
      turns.hold(
        { name: address ?? '' },
        () => setImmediate(),
        () => new Overloaded(),
      )
    begun.set(operation, turn)
    try {
      await turn
      begun.set(operation, 'begun')
    } catch (error) {
      begun.delete(operation)
      throw error
    }
    signal.throwIfAborted()
  }

  /** What the caller may see of an operation. @param deferring - variables by which parts of it are deferred (default: none is) */
  const allowed = async (
    operation: PreparedOperation,
    context: RequestContext,
    deferring?: Readonly<Record<string, unknown>>,
  ): Promise<RunnableOperation> => {
    await planningTurn(operation, context)
    const begunAt = performance.now()
    const whole = planned(operation)
    const { requirements, overrideLabels: labels, without } = (deferring && whole.inParts?.(deferring)) ?? whole
    const prepareMs = performance.now() - begunAt
    const unmet = requirements.length === 0 ? [] : await unmetRequirements(requirements, context, granted)
    const plannedAt = performance.now() - prepareMs
    const overridden = labels.length === 0 ? labels : await overridesFor(labels, context)
    const runnable = without(unmet, overridden)
    if (telemetry !== undefined && !known.has(runnable)) {
      known.add(runnable)
      telemetry.planned(context, plannedAt)
    }
    return runnable
  }

  /** Returns an execution for clients; with `reject`, no data if something is refused. */
  const answerOf = (executed: Executed, context: RequestContext): ExecutionResult =>
    withRefusals(resultOf(executed, context), refusalErrors(executed.refused, context.requestId), refusalsIn)

  const partOf = ({ id, path, label, ...executed }: ExecutedPart, context: RequestContext): DeferredPart => {
    const { errors, ...part } = answerOf(executed, context)
    return { id, ...part, path, label, ...(errors && truthful({ errors }, context)) }
  }

  const laterAnswers = async function* (
    later: AsyncGenerator<ExecutedParts, void>,
    context: RequestContext,
  ): AsyncGenerator<DeferredParts, void> {
    try {
      for await (const batch of later) yield { ...batch, parts: batch.parts.map((part) => partOf(part, context)) }
    } catch (error) {
      yield {
        parts: [{ id: 'failure', path: [], label: undefined, data: null, ...failedResult(error, context) }],
        pending: [],
        hasNext: false,
      }
    }
  }

  const unfitVariables: Executor['unfitVariables'] = (operation, variables, context) => {
    if ((operation.definition.variableDefinitions ?? []).length === 0) return undefined
    const errors = variableErrors(operation, variables)
    return errors.length === 0 ? undefined : { errors: errors.map((error) => maskedError(error, context)) }
  }

  const subscriptionPlan: Executor['subscriptionPlan'] = async (operation, variables, context) => {
    if (operation.kind !== 'subscription') throw badRequest('The operation is not a subscription')
    const { subscription, run, refused } = await allowed(operation, context)
    const unfit = unfitVariables(operation, variables, context)
    if (unfit !== undefined) return unfit
    if (reject && refused(variables).length > 0) return rejected(refused(variables), context)
    if (subscription === undefined) return { errors: refusalErrors(refused(variables), context.requestId) }
    const complete = async (fetchers: Fetchers, eventContext: RequestContext): Promise<ExecutionResult> => {
      const ended = telemetry?.event(operation, eventContext)
      const executed = run(variables, eventContext, fetchers).then((execution) => answerOf(execution, eventContext))
      const result = await executed.catch((error: unknown) => failedResult(error, eventContext))
      ended?.(result)
      return result
    }
    return { ...subscription, sources, complete }
  }

  return {
    schema,
    costs: planner.costs,
    cachePolicy: answerPolicy(planner.caching),
    prepare,
    unfitVariables,
    subscriptionPlan: (operation, variables, context) =>
      subscriptionPlan(operation, variables, context).catch((error: unknown) => failedResult(error, context)),
    async execute(operation, variables, context, delivery = 'whole') {
      try {
        if (operation.kind === 'subscription') throw badRequest('Subscriptions require WebSocket (graphql-transport-ws)')
        const unfit = unfitVariables(operation, variables, context)
        if (unfit !== undefined) return unfit
        const { run, refused } = await allowed(operation, context, delivery === 'in parts' ? variables : undefined)
        if (reject && refused(variables).length > 0) return rejected(refused(variables), context)
        const execution = await run(variables, context, operation.kind === 'query' ? queried : sources)
        const answer = truthful(answerOf(execution, context), context)
        if (execution.later === undefined) return answer
        const { pending, parts } = execution.later
        return { ...answer, later: { pending, parts: laterAnswers(parts, context) } }
      } catch (error) {
        return truthful(failedResult(error, context), context)
      }
    },
    async planOf(operation, context) {
      const { plan } = await allowed(operation, context)
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
        return 'node' in plan ? await federatedSubscription({ plan, variables, context, eventTimeoutMs }) : plan
      } catch (error) {
        return failedResult(error, context)
      }
    },
  }
}

/**
 * Returns an execution for clients. Apollo's gateway reports a subgraph's schema violation (a dangling reference) only in
 * `extensions.valueCompletion`; the GraphQL specification (6.4.4) requires it in `errors`.
 */
function resultOf({ data, errors, problems }: Executed, context: RequestContext): ExecutionResult {
  if (errors.length === 0 && problems.length === 0) return data === undefined ? {} : { data }
  const reported = [...errors.map((error) => maskedError(error, context)), ...problems.map((problem) => incomplete(problem, context))]
  return { errors: reported, ...(data === undefined ? {} : { data }) }
}

/** Refuses an operation with unauthorized fields as a whole, as `reject_unauthorized` of GraphOS Router. */
const rejected = (paths: readonly RefusedPath[], { requestId }: RequestContext): ExecutionResult => ({
  errors: refusalErrors(paths, requestId),
  data: null,
})

/** The supergraph has authorization directives that the executor's options do not enforce. */
export class UnenforcedAuthorization extends Error {}

/** @throws {UnenforcedAuthorization} naming the directives that would not be enforced */
function checkAuthorization({ directives, hasPolicies }: Requirements, options: AuthorizationOptions | undefined): void {
  if (options === undefined && directives.length > 0)
    throw new UnenforcedAuthorization(`the supergraph protects fields with ${directives.join(', ')}, but callers are not authenticated`)
  if (hasPolicies && options?.policies === undefined && options?.policyField === undefined)
    throw new UnenforcedAuthorization('the supergraph protects fields by policies, but nothing decides them')
}

/** The message refers only to the schema (which non-null field is null), so it may be shown. */
function incomplete({ message, path }: GraphQLError, { log, requestId }: RequestContext): GraphQLError {
  logOfRequest(log, requestId).warn({ path }, message)
  return new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { code: 'INTERNAL', requestId } })
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
