import { type ExecutionResult, GraphQLError, type GraphQLErrorOptions, Kind } from 'graphql'
import { Fault, type FaultCode, messageOf } from '../subgraphs/foundation/fault.ts'
import { type Log, logOfRequest } from '../subgraphs/foundation/log.ts'
import { isFaultCode } from './http/fault-status.ts'

/** What masking needs to know about the request. */
export interface MaskingContext {
  readonly requestId: string
  readonly log: Log
  /** when it is aborted, what fails for want of a code is answered as the reason of the abort */
  readonly signal?: AbortSignal
}

/** Codes that only say that something broke. */
const unexplained = new Set<unknown>([undefined, 'INTERNAL', 'INTERNAL_SERVER_ERROR', 'DOWNSTREAM_SERVICE_ERROR'])

/** Codes of errors whose sentences graphql-js wrote about a document or its variables. */
const ofDocuments = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'])

/**
 * What a caller may see of an error: one with a code keeps its sentence and its details and gets the request id; everything else is a
 * bug, logged whole under the request id and answered as "Internal server error".
 */
export function maskedError(error: GraphQLError, context: MaskingContext): GraphQLError {
  const { http: _, ...details } = error.extensions
  const { code } = details
  const { requestId } = context
  if (typeof code === 'string' && !unexplained.has(code)) {
    const cause = rootOf(error)
    if (cause instanceof Fault && cause.cause !== undefined)
      logOfRequest(context.log, requestId).warn({ code, path: error.path, cause: messageOf(cause.cause) }, 'a service failed')
    return remade(error, ofDocuments.has(code) || isAboutVariable(error) ? sentenceOf(error) : error.message, { ...details, requestId })
  }
  const [, argument] = invalidArgument.exec(error.message) ?? []
  if (argument !== undefined)
    return remade(error, `Argument "${argument}" has an invalid value.`, { ...details, code: 'BAD_USER_INPUT', requestId })
  const reason: unknown = context.signal?.aborted ? context.signal.reason : undefined
  if (reason instanceof Fault) return remade(error, reason.message, { ...reason.extensions, requestId })
  logOfRequest(context.log, requestId).error(
    { path: error.path, serviceName: details.serviceName, err: described(rootOf(error)) },
    'unexpected failure',
  )
  const { serviceName } = details
  return remade(error, 'Internal server error', { ...(serviceName === undefined ? {} : { serviceName }), code: 'INTERNAL', requestId })
}

/** What a scalar refused is quoted by graphql-js before the scalar's own sentence. */
const isAboutVariable = ({ message }: GraphQLError): boolean => message.startsWith('Variable "$')

/** What a subgraph does not take of a document is quoted whole by graphql-js: an image, or the words of a citizen. */
const invalidArgument = /^Argument "(\w+)" has invalid value /

/** Why a caller is refused, in the words of no protocol. */
export interface Refusal {
  readonly code: FaultCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * The refusal in whatever was thrown, be it a fault or an error of an operation with the code of one. Every protocol begins here and adds
 * its own form: GraphQL over HTTP and a subgraph's server (graphql-http/, sources/), REST (rest-adapters/response/); the status of all of
 * them is in http/fault-status.ts.
 * @returns undefined for what is no refusal but a bug
 */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Fault) return thrown
  if (!(thrown instanceof GraphQLError)) return undefined
  const { code, ...details } = thrown.extensions
  // What a route's own rule let through and the schema refuses is bad input all the same.
  const known = code === 'BAD_USER_INPUT' ? 'INVALID_INPUT' : code
  return isFaultCode(known) ? { code: known, message: thrown.message, details } : undefined
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

/** The result of an operation that failed as a whole. */
export function failedResult(thrown: unknown, context: MaskingContext): { readonly errors: readonly GraphQLError[] } {
  const errors = thrown instanceof InvalidOperation ? thrown.errors : [graphqlErrorOf(thrown)]
  return { errors: errors.map((error) => maskedError(error, context)) }
}

/** A result as its caller may know it; the whole of its errors is in the log. */
export function maskedResult(result: ExecutionResult, context: MaskingContext): ExecutionResult {
  return result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => maskedError(error, context)) }
}

/** Any thrown value as the GraphQLError that is masked next. */
export function graphqlErrorOf(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  return new GraphQLError(messageOf(thrown), { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) })
}

/**
 * The sentence of an error that graphql-js found in a document, without what the caller wrote as a value there: a literal may be a
 * photograph or a name. Names of types, fields and arguments stay.
 */
export function sentenceOf(error: GraphQLError): string {
  const node = error.nodes?.[0]
  if (node === undefined || !literals.has(node.kind) || /^Field "[\w.]+" of required type/.test(error.message))
    return withoutValues(error.message)
  const [, type] =
    /(?:^Expected value of type|does not exist in|^Enum) "([\w[\]!]+)"/.exec(error.message) ??
    /^(\w+) cannot represent/.exec(error.message) ??
    []
  return type === undefined ? 'The value does not fit.' : `Expected a value of type "${type}".`
}

const literals = new Set<string>([Kind.STRING, Kind.INT, Kind.FLOAT, Kind.BOOLEAN, Kind.ENUM, Kind.LIST, Kind.OBJECT, Kind.NULL])

/** The same for a sentence whose place in the document is not known: whatever graphql-js may have quoted is cut off. */
export function withoutValues(message: string): string {
  return message
    .replace(/(Unexpected|found) (String|BlockString|Int|Float|Comment) ".*/s, '$1 $2.')
    .replace(/(Unexpected|found) Name "[^"]{41,}".*/s, '$1 Name.')
    .replace(/(Invalid character escape sequence|Invalid Unicode escape sequence|Invalid character within String): .*/s, '$1.')
    .replace(/, found .*/s, '.')
    .replace(/ cannot represent .*/s, ' cannot represent the value.')
    .replace(/ got invalid value .*/s, ' got an invalid value.')
    .replace(/^Value ".*?" does not exist in "(\w+)" enum.*/s, 'The value does not exist in enum "$1".')
}

/** An error for logs: its kind, its sentence without values, and the frames of its stack (whose first line would repeat the sentence). */
export function described(thrown: unknown): { readonly type: string; readonly message: string; readonly stack: string | undefined } {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: 'something other than an Error was thrown', stack: undefined }
  const frames = thrown.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 20)
  return { type: thrown.name, message: withoutValues(thrown.message).slice(0, 500), stack: frames?.join('\n') }
}

/** graphql-js wraps what a resolver threw, and the query plan's executor wraps that: the innermost is what happened. */
function rootOf(error: GraphQLError): Error {
  let root: Error = error
  while (root instanceof GraphQLError && root.originalError !== undefined) root = root.originalError
  return root
}

function remade(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  return new GraphQLError(message, { ...placeOf(error), extensions })
}

/** Where an error is, in the document and in the answer. */
export function placeOf({ nodes, source, positions, path }: GraphQLError): GraphQLErrorOptions {
  return {
    ...(nodes === undefined ? {} : { nodes }),
    ...(source === undefined ? {} : { source }),
    ...(positions === undefined ? {} : { positions }),
    ...(path === undefined ? {} : { path }),
  }
}
