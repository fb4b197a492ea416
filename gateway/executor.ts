import './no-telemetry.ts'
import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { buildOperationContext, executeQueryPlan } from '@apollo/gateway'
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { messageOf } from '../subgraphs/foundation/fault.ts'
import type { RequestContext } from '../subgraphs/foundation/request-context.ts'
import { BoundedCache } from './bounded-cache.ts'
import { described, graphqlErrorOf, maskedError, placeOf, sentenceOf } from './error-masking.ts'
import { federatedSubscription } from './federated-subscription.ts'
import type { SubgraphSource } from './subgraph-source.ts'
import { variableErrors } from './variable-values.ts'

/** A GraphQL document, parsed and checked against the API schema once. */
export interface PreparedOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly name?: string
}

/** The one door to the data, for HTTP, WebSocket and REST. */
export interface Executor {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** Cached by text and name. @throws {InvalidOperation} */
  prepare(text: string, operationName?: string): PreparedOperation
  /** Never rejects: every error is in the result, masked, with `extensions.code` and the request id. */
  execute(operation: PreparedOperation, variables: Readonly<Record<string, unknown>>, context: RequestContext): Promise<ExecutionResult>
  /**
   * A result instead of a stream means that the subscription did not start. The stream ends at once when it is returned or when the
   * context's signal is aborted; every event has `eventTimeoutMs` to be completed by other subgraphs.
   */
  subscribe(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>
}

/** A document that cannot be executed: what graphql-js found, without the values in it. */
export class InvalidOperation extends Error {
  readonly errors: readonly GraphQLError[]
  constructor(errors: readonly GraphQLError[]) {
    super(errors.map((error) => error.message).join('\n'))
    this.name = 'InvalidOperation'
    this.errors = errors
  }
}

export interface ExecutorOptions {
  /** text of a federation v2 supergraph */
  readonly supergraph: string
  /** one for each of its subgraphs, by name */
  readonly sources: Readonly<Record<string, SubgraphSource>>
  /** how long other subgraphs may take to complete one event of a subscription */
  readonly eventTimeoutMs: number
  /** prepared operations with their plans that are kept */
  readonly planCacheSize?: number
}

/** What is worked out once for an operation. */
interface Planned {
  readonly plan: QueryPlan
  readonly operation: OperationDefinitionNode
  readonly context: ReturnType<typeof buildOperationContext>
}

/** @throws {Error} when the supergraph is none, or a subgraph of it has no source */
export function createExecutor({ supergraph: sdl, sources, eventTimeoutMs, planCacheSize = 1000 }: ExecutorOptions): Executor {
  const supergraph = Supergraph.build(sdl)
  const missing = supergraph.subgraphsMetadata().filter(({ name }) => sources[name] === undefined)
  if (missing.length > 0) throw new Error(`no source for the subgraphs ${missing.map(({ name }) => name).join(', ')}`)
  const planner = new QueryPlanner(supergraph)
  const apiSchema = supergraph.apiSchema()
  const schema = apiSchema.toGraphQLJSSchema()
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema()
  const prepared = new BoundedCache<Map<string | undefined, PreparedOperation>>(planCacheSize)
  const plans = new WeakMap<PreparedOperation, Planned>()

  const prepare = (text: string, operationName?: string): PreparedOperation => {
    const known = prepared.get(text)
    const same = known?.get(operationName)
    if (same !== undefined) return same
    const [first] = known?.values() ?? []
    const document = first?.document ?? checkedDocument(schema, text)
    const operation = getOperationAST(document, operationName)
    if (operation === null || operation === undefined)
      throw new InvalidOperation([withCode(new GraphQLError(whichOperation(operationName)), 'OPERATION_RESOLUTION_FAILURE')])
    const fresh: PreparedOperation = {
      text,
      document,
      kind: operation.operation,
      ...(operationName === undefined ? {} : { name: operationName }),
    }
    if (known === undefined) prepared.set(text, new Map([[operationName, fresh]]))
    else known.set(operationName, fresh)
    return fresh
  }

  const planned = (prepared: PreparedOperation): Planned => {
    const known = plans.get(prepared)
    if (known !== undefined) return known
    const { document, name } = prepared
    const named = name === undefined ? {} : { operationName: name }
    const context = buildOperationContext({ schema, operationDocument: document, ...named })
    const fresh = { plan: planOf(document, named), operation: context.operation, context }
    plans.set(prepared, fresh)
    return fresh
  }

  const planOf = (document: DocumentNode, named: { operationName?: string }): QueryPlan => {
    try {
      return planner.buildQueryPlan(operationFromDocument(apiSchema, document, named))
    } catch (error) {
      // The planner guards itself against operations whose plan would explode, with an error of its own.
      if (/exceed/i.test(messageOf(error))) throw withCode(new GraphQLError('The operation is too complex to be planned'), 'LIMIT_EXCEEDED')
      throw error
    }
  }

  const run = async (
    plan: QueryPlan,
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
    services: Readonly<Record<string, Pick<SubgraphSource, 'process'>>>,
  ): Promise<ExecutionResult> => {
    const request = { query: operation.text, variables, operationName: operation.name }
    const requestContext = {
      request,
      document: operation.document,
      operationName: operation.name ?? null,
      context,
      metrics: {},
      logger: quiet(context),
    }
    try {
      const result = await executeQueryPlan(
        plan,
        services,
        // executeQueryPlan reads no more of the request context than this; the rest of the type belongs to Apollo Server.
        requestContext as unknown as Parameters<typeof executeQueryPlan>[2],
        planned(operation).context,
        supergraphSchema,
        apiSchema,
        { recordExceptions: false },
      )
      if (result.errors === undefined && result.extensions === undefined) return result
      return answered(result, context)
    } catch (error) {
      return { errors: [maskedError(graphqlErrorOf(error), context)] }
    }
  }

  const refusalOf = (
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult | undefined => {
    const errors = variableErrors(schema, planned(operation).operation, variables)
    return errors.length === 0 ? undefined : { errors: errors.map((error) => maskedError(error, context)) }
  }

  return {
    schema,
    prepare,
    async execute(operation, variables, context) {
      try {
        if (operation.kind === 'subscription')
          throw withCode(new GraphQLError('Subscriptions are answered over WebSocket (graphql-transport-ws)'), 'BAD_REQUEST')
        return refusalOf(operation, variables, context) ?? (await run(planned(operation).plan, operation, variables, context, sources))
      } catch (error) {
        return { errors: [maskedError(graphqlErrorOf(error), context)] }
      }
    },
    async subscribe(operation, variables, context) {
      try {
        const { node } = planned(operation).plan
        if (node?.kind !== 'Subscription') throw withCode(new GraphQLError('This is no subscription'), 'BAD_REQUEST')
        return (
          refusalOf(operation, variables, context) ??
          (await federatedSubscription({
            node,
            variables,
            context,
            sources,
            eventTimeoutMs,
            run: (plan, services, eventContext) => run(plan, operation, variables, eventContext, services),
          }))
        )
      } catch (error) {
        return { errors: [maskedError(graphqlErrorOf(error), context)] }
      }
    },
  }
}

function checkedDocument(schema: GraphQLSchema, text: string): DocumentNode {
  let document: DocumentNode
  try {
    document = parse(text)
  } catch (error) {
    throw new InvalidOperation([withCode(graphqlErrorOf(error), 'GRAPHQL_PARSE_FAILED')])
  }
  let errors: readonly GraphQLError[]
  try {
    errors = validate(schema, document)
  } catch {
    // graphql-js 16 throws instead of reporting when a subscription's root field has @skip or @include on a variable, which the
    // specification forbids (section 5.2.4.1).
    errors = [new GraphQLError('A root field of a subscription must not have @skip or @include')]
  }
  if (errors.length > 0) throw new InvalidOperation(errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')))
  return document
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(sentenceOf(error), { ...placeOf(error), extensions: { ...error.extensions, code } })
}

function whichOperation(name: string | undefined): string {
  if (name === undefined) return 'Must provide operation name if query contains multiple operations.'
  // Only what looks like a name is repeated: the member may hold anything.
  return /^\w{1,40}$/.test(name) ? `Unknown operation named "${name}".` : 'Unknown operation name.'
}

/**
 * The result as clients get it. When a subgraph leaves out what its schema promises (a reference that leads nowhere), Apollo's executor
 * nulls the parent and says so only in `extensions.valueCompletion`, where no client looks; the GraphQL specification (6.4.4) wants a
 * null like this in `errors`, so it is moved there. The sentences name types and fields of the API schema only.
 */
function answered(result: ExecutionResult, context: RequestContext): ExecutionResult {
  const { valueCompletion, ...extensions } = result.extensions ?? {}
  const missing = Array.isArray(valueCompletion) ? valueCompletion.map((error) => incomplete(graphqlErrorOf(error), context)) : []
  const errors = [...(result.errors ?? []).map((error) => maskedError(error, context)), ...missing]
  return {
    ...(errors.length === 0 ? {} : { errors }),
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
  }
}

function incomplete(error: GraphQLError, { requestId }: RequestContext): GraphQLError {
  return new GraphQLError(error.message, {
    ...(error.path === undefined ? {} : { path: error.path }),
    extensions: { code: 'INTERNAL', requestId },
  })
}

/** Apollo's executor logs by sentence; what it says may quote data, so only the kind of message is kept. */
function quiet(context: RequestContext): { debug(): void; info(): void; warn(): void; error(problem?: unknown): void } {
  const nothing = (): void => undefined
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (problem) => context.log.error({ requestId: context.requestId, err: described(problem) }, 'the query plan failed'),
  }
}
