import { GraphQLError, type GraphQLErrorOptions } from 'graphql'
import { Fault, messageOf } from '../../foundation/fault.ts'
import { type Log, logOfRequest } from '../../foundation/log.ts'
import { invalid, type Violation } from '../../foundation/validation/violation.ts'
import { literalPath, refusedPath } from './variable-path.ts'
import { described, sentenceOf } from './without-values.ts'

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
    const message = ofDocuments.has(code) || isAboutVariable(error) ? sentenceOf(error) : error.message
    return remade(error, message, { ...details, ...placedEntries(error), requestId })
  }
  const [, argument] = invalidArgument.exec(error.message) ?? []
  if (argument !== undefined) {
    const entries = [invalid([argument], 'It has an invalid value')]
    return remade(error, `Argument "${argument}" has an invalid value.`, { ...details, entries, code: 'BAD_USER_INPUT', requestId })
  }
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

/** What a scalar refused in a variable or a literal, with its place there: a scalar speaks of the whole. */
export function placedEntries(error: GraphQLError): { readonly entries?: readonly unknown[] } {
  const { entries } = error.extensions
  if (!Array.isArray(entries) || !entries.some(isOfWhole)) return {}
  const path = isAboutVariable(error) ? refusedPath(error.message) : literalPath(error)
  return path === undefined ? {} : { entries: entries.map((entry: Violation) => (isOfWhole(entry) ? { ...entry, path } : entry)) }
}

const isOfWhole = (entry: Violation | undefined): boolean => entry?.path?.length === 0

/** What a subgraph does not take of a document is quoted whole by graphql-js: an image, or the words of a citizen. */
const invalidArgument = /^Argument "(\w+)" has invalid value /

/** Any thrown value as the GraphQLError that is masked next. */
export function graphqlErrorOf(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  return new GraphQLError(messageOf(thrown), { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) })
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
