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
import type { Requirements } from './authorization/requirement.ts'
import { type RefusalsIn, refusalErrors, withRefusals } from './authorization/told-refusals.ts'
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

/** The one door to the data, for HTTP, WebSocket and REST. */
export interface Executor {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** what the supergraph says that its parts cost */
  readonly costs: CostDirectives
  /** For how long the answer of a query may be kept, by the hints of the supergraph; undefined: not at all */
  cachePolicy(operation: PreparedOperation): CachePolicy | undefined
  /** Remembered by text and name; `read` is how a text gets in that has not come this way before (default: without limits). */
  readonly prepare: PrepareOperation
  /** The refusal of variables that do not fit their types; undefined: they fit. */
  unfitVariables(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult | undefined
  /**
   * Never rejects: every error is in the result, masked, with `extensions.code` and the request id.
   * @param delivery - whether what `@defer` leaves for later may come later (default: all is in the result)
   */
  execute(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
    delivery?: Delivery,
  ): Promise<Answer>
  /** The bytes of a file that a field named; its id begins with the name of its subgraph. @throws {NotFound}  @throws {EngineUnavailable} */
  openFile(id: string, context: RequestContext): Promise<Readable>
  /**
   * A result instead of a stream means that the subscription did not start. The stream ends at once when it is returned or when the
   * context's signal is aborted; every event has `eventTimeoutMs` to be completed by other subgraphs. Where events are numbered they have
   * `extensions.cursor`, and a context with a cursor begins after it.
   */
  subscribe(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: SubscriptionContext,
  ): Promise<SubscriptionStream | ExecutionResult>
  /** By what a subscription would run here, for one that runs on the supergraph before this. @returns the refusal where it would be refused */
  subscriptionPlan(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<SubscriptionPlan | ExecutionResult>
  /** By what a query or a mutation is executed for this caller. @throws {GraphQLError} when it cannot be planned */
  planOf(operation: PreparedOperation, context: RequestContext): Promise<QueryPlan>
}

export interface ExecutorOptions {
  /** text of a federation v2 supergraph */
  readonly supergraph: string
  /** one for each of its subgraphs, by name */
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** how long other subgraphs may take to complete one event of a subscription */
  readonly eventTimeoutMs: number
  /** of the subgraphs, which say what is no value of theirs; others take anything here and refuse it there */
  readonly scalars?: readonly GraphQLScalarType[]
  /** of the supergraphs before this one; those that are made here are added */
  readonly plans?: KeptPlans
  /** prepared operations with their plans that are kept */
  readonly planCacheSize?: number
  /** of progressive overrides, `@override(label:)`, that are on, or what decides on them; those of `percent(n)` need neither (default: none) */
  readonly overrideLabels?: OverrideLabels
  /** how callers are held to `@authenticated`, `@requiresScopes` and `@policy`; a supergraph that has them is refused without */
  readonly authorization?: AuthorizationOptions
  /** keeps entities that queries fetch, for as long as `@cacheControl` says (default: all are fetched) */
  readonly entityCache?: EntityCache | undefined
  /** notes how long plans and fetches take */
  readonly telemetry?: Pick<GatewayTelemetry, 'planned' | 'source' | 'cached' | 'event'> | undefined
}

/** Principals and their scopes are known by the authentication of whoever calls the executor; policies are decided on here. */
export interface AuthorizationOptions {
  readonly policies?: GrantedPolicies
  /** a field of Query that decides on them instead: from `policies: [String!]!` it gives those that its caller fulfils */
  readonly policyField?: string
  /** whether an operation is refused as a whole when its caller may not see all of it (default: the rest is answered) */
  readonly reject?: boolean
  /** default: among the errors */
  readonly refusalsIn?: RefusalsIn
}

/**
 * @throws {Error} when the supergraph is none, a subgraph of it has no source, or it protects fields and nobody says whose they are
 */
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
  for (const scalar of scalars) checkLiterals(schema, scalar)
  const planned = oncePerOperation(({ document, definition }) => planner.planned(document, definition))
  const turns = new FairTurns({ maxAtOnce: 1, maxPerOwner: 100, maxWaiting: 1000, maxWaitMs: 10_000 })
  /** operations that had their turn, or wait for it */
  const begun = new WeakMap<PreparedOperation, Promise<void> | 'begun'>()
  const variableErrors = variableChecks(schema)
  const overridesFor = overrideSwitch(overrideLabels)
  const prepare = operationsOf(schema, planCacheSize)
  checkAuthorization(planner.requirements, authorization)
  /** operations of which it has been told what making them ready took */
  const known = new WeakSet<RunnableOperation>()
  const { reject = false, refusalsIn = 'errors', policyField } = authorization ?? {}
  const granted = policyField === undefined ? authorization?.policies : policiesByField(schema, policyField, asked)

  /** What a mutation or an event has changed is not read from what was kept before. */
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

  /** An execution as clients get it; with `reject`, nothing of it where something is refused. */
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
        if (operation.kind === 'subscription') throw badRequest('Subscriptions are answered over WebSocket (graphql-transport-ws)')
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
 * An execution as clients get it. When a subgraph leaves out what its schema promises (a reference that leads nowhere), Apollo's gateway
 * says so only in `extensions.valueCompletion`, where no client looks; the GraphQL specification (6.4.4) wants it in `errors`.
 */
function resultOf({ data, errors, problems }: Executed, context: RequestContext): ExecutionResult {
  if (errors.length === 0 && problems.length === 0) return data === undefined ? {} : { data }
  const told = [...errors.map((error) => maskedError(error, context)), ...problems.map((problem) => incomplete(problem, context))]
  return { errors: told, ...(data === undefined ? {} : { data }) }
}

/** Who may not see all of an operation gets nothing of it, as with `reject_unauthorized` of GraphOS Router. */
const rejected = (paths: readonly RefusedPath[], { requestId }: RequestContext): ExecutionResult => ({
  errors: refusalErrors(paths, requestId),
  data: null,
})

/** @throws {Error} naming the directives that nobody would enforce */
function checkAuthorization({ directives, hasPolicies }: Requirements, options: AuthorizationOptions | undefined): void {
  if (options === undefined && directives.length > 0)
    throw new Error(`the supergraph protects fields with ${directives.join(', ')}, and nothing here knows who asks`)
  if (hasPolicies && options?.policies === undefined && options?.policyField === undefined)
    throw new Error('the supergraph protects fields by policies, and nothing here decides on them')
}

/** The sentence is of the schema alone, so that it may be told: which field cannot be null, and is. */
function incomplete({ message, path }: GraphQLError, { log, requestId }: RequestContext): GraphQLError {
  logOfRequest(log, requestId).warn({ path }, message)
  return new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { code: 'INTERNAL', requestId } })
}

/** A literal that a subgraph refuses is refused with its place in the document; what is taken goes on as it was written. */
function checkLiterals(schema: GraphQLSchema, { name, parseLiteral }: GraphQLScalarType): void {
  const type = schema.getType(name)
  if (!isScalarType(type)) return
  type.parseLiteral = (node, variables) => {
    parseLiteral(node, variables)
    return valueFromASTUntyped(node, variables)
  }
}

const badRequest = (message: string): GraphQLError => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } })
