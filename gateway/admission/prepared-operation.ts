import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { graphqlErrorOf, placedEntries, placeOf } from '../errors/masked-error.ts'
import { InvalidOperation } from '../errors/masked-result.ts'
import { sentenceOf } from '../errors/without-values.ts'
import { deferRules } from '../incremental/defer-rules.ts'
import { subscriptionRoot } from '../subscriptions/subscription-root.ts'
import { fieldCount } from './operation-limits.ts'
import { textCache } from './text-cache.ts'

/** An operation of a GraphQL document, parsed and checked against the API schema once. */
export interface PreparedOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly name?: string
}

/**
 * Parses a text that has not come this way before.
 * @throws {GraphQLError} for what is no document  @throws {InvalidOperation} for one that may not come this way
 */
export type ReadDocument = (text: string) => DocumentNode

/** @throws {InvalidOperation} with all that `read`, the rules of validation, or the choice of the operation found */
export type PrepareOperation = (text: string, operationName?: string, read?: ReadDocument) => PreparedOperation

interface KnownDocument {
  readonly document: DocumentNode
  /** after its fragments are spread */
  readonly fields: number
  readonly operations: Map<string | undefined, PreparedOperation>
  /** the ways that it has been let in */
  readonly readBy: Set<ReadDocument>
}

/** A planned field takes the memory of so many characters: a short text may spread a fragment into a thousand fields. */
const charactersOfField = 4

/**
 * The one place that parses operations and remembers them: a document is parsed and validated once, whoever sends it, and read again only
 * when it comes for the first time by a way with rules of its own. What else is worked out for an operation hangs on it (`oncePerOperation`).
 * @param max - documents that are kept, the most recently used
 */
export function operationsOf(schema: GraphQLSchema, max: number): PrepareOperation {
  const documents = textCache<KnownDocument>(max, ({ fields }) => fields * charactersOfField)

  const knownDocument = (text: string, read: ReadDocument): KnownDocument => {
    const known = documents.get(text)
    if (known?.readBy.has(read)) return known
    const document = documentOf(text, read)
    if (known !== undefined) {
      known.readBy.add(read)
      return known
    }
    validated(schema, document)
    const fresh: KnownDocument = { document, fields: fieldCount(document), operations: new Map(), readBy: new Set([read]) }
    documents.set(text, fresh)
    return fresh
  }

  return (text, operationName, read = parse) => {
    const { document, operations } = knownDocument(text, read)
    const known = operations.get(operationName)
    if (known !== undefined) return known
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
    operations.set(operationName, fresh)
    return fresh
  }
}

/** Works something out once for each operation, and forgets it with the operation. */
export function oncePerOperation<Value extends object>(
  make: (operation: PreparedOperation) => Value,
): (operation: PreparedOperation) => Value {
  const made = new WeakMap<PreparedOperation, Value>()
  return (operation) => {
    const known = made.get(operation)
    if (known !== undefined) return known
    const fresh = make(operation)
    made.set(operation, fresh)
    return fresh
  }
}

function documentOf(text: string, read: ReadDocument): DocumentNode {
  try {
    return read(text)
  } catch (error) {
    throw error instanceof InvalidOperation ? error : new InvalidOperation([withCode(graphqlErrorOf(error), 'GRAPHQL_PARSE_FAILED')])
  }
}

/** A document with more errors is refused with the first ones. */
const maxErrors = 20
const rules = [...specifiedRules, ...deferRules]

function validated(schema: GraphQLSchema, document: DocumentNode): void {
  let errors: readonly GraphQLError[]
  try {
    errors = validate(schema, document, rules, { maxErrors })
    if (errors.length === 0 && hasConditionalRoot(document)) errors = [conditionalRoot]
  } catch {
    // graphql-js 16 throws instead of reporting when the condition is a variable.
    errors = [conditionalRoot]
  }
  if (errors.length > 0) throw new InvalidOperation(errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')))
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
  return new GraphQLError(sentenceOf(error), { ...placeOf(error), extensions: { ...error.extensions, ...placedEntries(error), code } })
}

function whichOperation(name: string | undefined): string {
  if (name === undefined) return 'Must provide operation name if query contains multiple operations.'
  // Only what looks like a name is repeated: the member may hold anything.
  return /^\w{1,40}$/.test(name) ? `Unknown operation named "${name}".` : 'Unknown operation name.'
}
