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
import { deferRules } from './defer-rules.ts'
import { fieldCount } from './operation-size.ts'
import { subscriptionRoot } from './subscription-root.ts'
import { textCache } from './text-cache.ts'

/** A document with the selected operation. */
export interface SelectedOperation {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
}

/** An operation of a GraphQL document, parsed and validated once against the API schema. */
export interface PreparedOperation extends SelectedOperation {
  readonly text: string
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly name?: string
}

/**
 * Parses a text that is new to this entry point. @throws {GraphQLError} for an invalid document
 * @throws {InvalidOperation} if the entry point does not accept it
 */
export type ReadDocument = (text: string) => DocumentNode

/** @throws {InvalidOperation} with the errors of `read`, of validation, or of operation selection */
export type PrepareOperation = (text: string, operationName?: string, read?: ReadDocument) => PreparedOperation

interface CachedDocument {
  readonly document: DocumentNode
  /** after its fragments are spread */
  readonly fields: number
  readonly operations: Map<string | undefined, PreparedOperation>
  /** the entry points that have accepted it */
  readonly readBy: Set<ReadDocument>
}

/** Memory that a planned field takes, in characters: a short text may spread a fragment into a thousand fields. */
const charactersOfField = 4

/**
 * Parses and caches operations: a document is parsed and validated once for all clients, and checked again only at entry points with rules of their
 * own. Data derived from an operation is attached to it (`oncePerOperation`). @param max - number of cached documents, least recently used removed
 * first
 */
export function operationsOf(schema: GraphQLSchema, max: number): PrepareOperation {
  const documents = textCache<CachedDocument>(max, ({ fields }) => fields * charactersOfField)

  const cachedDocument = (text: string, read: ReadDocument): CachedDocument => {
    const cached = documents.get(text)
    if (cached?.readBy.has(read)) return cached
    const document = documentOf(text, read)
    if (cached !== undefined) {
      cached.readBy.add(read)
      return cached
    }
    validated(schema, document)
    const fresh: CachedDocument = { document, fields: fieldCount(document), operations: new Map(), readBy: new Set([read]) }
    documents.set(text, fresh)
    return fresh
  }

  return (text, operationName, read = parse) => {
    const { document, operations } = cachedDocument(text, read)
    const cached = operations.get(operationName)
    if (cached !== undefined) return cached
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

/** Computes a value once per operation and discards it with the operation. */
export function oncePerOperation<Value extends object>(
  make: (operation: PreparedOperation) => Value,
): (operation: PreparedOperation) => Value {
  const cache = new WeakMap<PreparedOperation, Value>()
  return (operation) => {
    const cached = cache.get(operation)
    if (cached !== undefined) return cached
    const fresh = make(operation)
    cache.set(operation, fresh)
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

/** Maximum number of errors reported for a document. */
const maxErrors = 20
const rules = [...specifiedRules, ...deferRules]

function validated(schema: GraphQLSchema, document: DocumentNode): void {
  let errors: readonly GraphQLError[]
  try {
    errors = validate(schema, document, rules, { maxErrors })
    if (errors.length === 0 && hasConditionalRoot(document)) errors = [conditionalRoot]
  } catch {
    // graphql-js 16 throws instead of reporting if the condition is a variable.
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
  // Repeats only text that looks like a name: the member may contain anything.
  return /^\w{1,40}$/.test(name) ? `Unknown operation named "${name}".` : 'Unknown operation name.'
}
