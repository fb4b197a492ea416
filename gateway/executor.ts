import './no-telemetry.ts'
import type { Readable } from 'node:stream'
import { Supergraph } from '@apollo/federation-internals'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  getOperationAST,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
  valueFromASTUntyped,
} from 'graphql'
import { BoundedCache } from '../subgraphs/foundation/concurrency/bounded-cache.ts'
import { NotFound } from '../subgraphs/foundation/fault.ts'
import type { RequestContext } from '../subgraphs/foundation/graphql/request-context.ts'
import { graphqlErrorOf, maskedError, placeOf, sentenceOf } from './errors.ts'
import { type Execution, type Fetchers, operationPlanner, type PlannedOperation } from './planning/planned-operation.ts'
import { variableErrors } from './planning/variable-values.ts'
import type { SubgraphSource } from './sources/subgraph-source.ts'
import { federatedSubscription } from './subscriptions/federated-subscription.ts'
import { subscriptionRoot } from './subscriptions/subscription-root.ts'

/** A GraphQL document, parsed and checked against the API schema once. */
export interface PreparedOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
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
  /** The bytes of a file that a field named; its id begins with the name of its subgraph. @throws {NotFound}  @throws {EngineUnavailable} */
  openFile(id: string, context: RequestContext): Promise<Readable>
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
  /** of the subgraphs, which say what is no value of theirs; others take anything here and refuse it there */
  readonly scalars?: readonly GraphQLScalarType[]
  /** prepared operations with their plans that are kept */
  readonly planCacheSize?: number
}

/** @throws {Error} when the supergraph is none, or a subgraph of it has no source */
export function createExecutor({
  supergraph: sdl,
  sources,
  eventTimeoutMs,
  scalars = [],
  planCacheSize = 1000,
}: ExecutorOptions): Executor {
  const supergraph = Supergraph.build(sdl)
  const missing = supergraph.subgraphsMetadata().filter(({ name }) => sources[name] === undefined)
  if (missing.length > 0) throw new Error(`no source for the subgraphs ${missing.map(({ name }) => name).join(', ')}`)
  const planner = operationPlanner(supergraph)
  const { schema } = planner
  for (const scalar of scalars) checkLiterals(schema, scalar)
  const prepared = new BoundedCache<Map<string | undefined, PreparedOperation>>(planCacheSize)
  const plans = new WeakMap<PreparedOperation, PlannedOperation>()

  const prepare = (text: string, operationName?: string): PreparedOperation => {
    const known = prepared.get(text)
    const same = known?.get(operationName)
    if (same !== undefined) return same
    const [first] = known?.values() ?? []
    const document = first?.document ?? checkedDocument(schema, text)
    const definition = getOperationAST(document, operationName)
    if (definition === null || definition === undefined)
      throw new InvalidOperation([withCode(new GraphQLError(whichOperation(operationName)), 'OPERATION_RESOLUTION_FAILURE')])
    const fresh: PreparedOperation = {
      text,
      document,
      definition,
      kind: definition.operation,
      ...(operationName === undefined ? {} : { name: operationName }),
    }
    if (known === undefined) prepared.set(text, new Map([[operationName, fresh]]))
    else known.set(operationName, fresh)
    return fresh
  }

  const planned = (operation: PreparedOperation): PlannedOperation => {
    const known = plans.get(operation)
    if (known !== undefined) return known
    const fresh = planner.planned(operation.document, operation.definition)
    plans.set(operation, fresh)
    return fresh
  }

  const unfitVariables = (
    { document, definition }: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult | undefined => {
    if (definition.variableDefinitions === undefined || definition.variableDefinitions.length === 0) return undefined
    const errors = variableErrors(schema, { document, definition }, variables)
    return errors.length === 0 ? undefined : { errors: errors.map((error) => maskedError(error, context)) }
  }

  const failed = (error: unknown, context: RequestContext): ExecutionResult => ({
    errors: [maskedError(graphqlErrorOf(error), context)],
  })

  return {
    schema,
    prepare,
    async execute(operation, variables, context) {
      try {
        if (operation.kind === 'subscription')
          throw withCode(new GraphQLError('Subscriptions are answered over WebSocket (graphql-transport-ws)'), 'BAD_REQUEST')
        return unfitVariables(operation, variables, context) ?? answerOf(await planned(operation).run(variables, context, sources), context)
      } catch (error) {
        return failed(error, context)
      }
    },
    async openFile(id, context) {
      const open = sources[id.split('.', 1)[0] ?? '']?.openFile
      if (open === undefined) throw new NotFound()
      return open(id, context)
    },
    async subscribe(operation, variables, context) {
      try {
        const { subscription, run } = planned(operation)
        if (subscription === undefined) throw withCode(new GraphQLError('This is no subscription'), 'BAD_REQUEST')
        const unfit = unfitVariables(operation, variables, context)
        if (unfit !== undefined) return unfit
        const complete = async (fetchers: Fetchers, eventContext: RequestContext): Promise<ExecutionResult> => {
          try {
            return answerOf(await run(variables, eventContext, fetchers), eventContext)
          } catch (error) {
            return failed(error, eventContext)
          }
        }
        return await federatedSubscription({ ...subscription, variables, context, sources, eventTimeoutMs, complete })
      } catch (error) {
        return failed(error, context)
      }
    },
  }
}

/**
 * An execution as clients get it. When a subgraph leaves out what its schema promises (a reference that leads nowhere), Apollo's gateway
 * says so only in `extensions.valueCompletion`, where no client looks; the GraphQL specification (6.4.4) wants it in `errors`.
 */
function answerOf({ data, errors, problems }: Execution, context: RequestContext): ExecutionResult {
  if (errors.length === 0 && problems.length === 0) return data === undefined ? {} : { data }
  const told = [...errors.map((error) => maskedError(error, context)), ...problems.map((problem) => incomplete(problem, context))]
  return { errors: told, ...(data === undefined ? {} : { data }) }
}

function incomplete({ message, path }: GraphQLError, { requestId }: RequestContext): GraphQLError {
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
    if (errors.length === 0 && hasConditionalRoot(document)) errors = [conditionalRoot]
  } catch {
    // graphql-js 16 throws instead of reporting when the condition is a variable.
    errors = [conditionalRoot]
  }
  if (errors.length > 0) throw new InvalidOperation(errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')))
  return document
}

const conditionalRoot = new GraphQLError('A root field of a subscription must not have @skip or @include')

function hasConditionalRoot(document: DocumentNode): boolean {
  return document.definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.operation === OperationTypeNode.SUBSCRIPTION &&
      subscriptionRoot(document, definition).isConditional,
  )
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(sentenceOf(error), { ...placeOf(error), extensions: { ...error.extensions, code } })
}

function whichOperation(name: string | undefined): string {
  if (name === undefined) return 'Must provide operation name if query contains multiple operations.'
  // Only what looks like a name is repeated: the member may hold anything.
  return /^\w{1,40}$/.test(name) ? `Unknown operation named "${name}".` : 'Unknown operation name.'
}
