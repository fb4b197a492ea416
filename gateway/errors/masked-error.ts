import { GraphQLError, type GraphQLErrorOptions } from 'graphql'
import { Fault, messageOf } from '../../foundation/fault.ts'
import { type Log, logOfRequest } from '../../foundation/log.ts'
import { type Violation, wrongType } from '../../foundation/validation/violation.ts'
import { literalPath, refusedPath } from './variable-path.ts'
import { described, sentenceOf } from './without-values.ts'

/** The request data that masking needs. */
export interface MaskingContext {
  readonly requestId: string
  readonly log: Log
  /** if aborted, an error without a code is replaced by the reason of the abort */
  readonly signal?: AbortSignal
  /** false: errors are returned as they are, but for the reason of an abort (default: true) */
  readonly maskErrors?: boolean
}

/** Codes that only indicate a failure. */
const unexplained = new Set<unknown>([undefined, 'INTERNAL', 'INTERNAL_SERVER_ERROR', 'DOWNSTREAM_SERVICE_ERROR'])

/** Codes of errors that graphql-js creates for a document or its variables. */
const ofDocuments = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'])

/**
 * Masks an error: one with a code keeps its message and details and gets the request id; any other is a bug, logged with the request id and returned
 * as "Internal server error".
 */
export function maskedError(error: GraphQLError, context: MaskingContext): GraphQLError {
  if (context.maskErrors === false) return abortedError(error, context) ?? error
  const { http: _, ...details } = error.extensions
  const { code } = details
  const { requestId } = context
  if (typeof code === 'string' && !unexplained.has(code)) {
    const cause = rootOf(error)
    if (cause instanceof Fault && cause.cause !== undefined)
      logOfRequest(context.log, requestId).warn({ code, path: error.path, cause: messageOf(cause.cause) }, 'engine error')
    const message = ofDocuments.has(code) || isAboutVariable(error) ? sentenceOf(error) : error.message
    return remade(error, message, { ...details, ...placedEntries(error), requestId })
  }
  const [, argument] = invalidArgument.exec(error.message) ?? []
  if (argument !== undefined) {
    const entries = [wrongType(argument === 'input' || argument === 'filter' ? [] : [argument], 'It has an invalid value')]
    return remade(error, `Argument "${argument}" has an invalid value.`, { ...details, entries, code: 'BAD_USER_INPUT', requestId })
  }
  const aborted = abortedError(error, context)
  if (aborted !== undefined) return aborted
  logOfRequest(context.log, requestId).error(
    { path: error.path, serviceName: details.serviceName, err: described(rootOf(error)) },
    'unexpected failure',
  )
  const { serviceName } = details
  return remade(error, 'Internal server error', { ...(serviceName === undefined ? {} : { serviceName }), code: 'INTERNAL', requestId })
}

/** Returns the reason of the abort in place of an error without a code; undefined if nothing was aborted. */
function abortedError(error: GraphQLError, { signal, requestId }: MaskingContext): GraphQLError | undefined {
  const reason: unknown = signal?.aborted && unexplained.has(error.extensions.code) ? signal.reason : undefined
  return reason instanceof Fault ? remade(error, reason.message, { ...reason.extensions, requestId }) : undefined
}

/** graphql-js quotes the refused value before the message of the scalar. */
const isAboutVariable = ({ message }: GraphQLError): boolean => message.startsWith('Variable "$')

/** Returns the entries of an error with the location of a refused scalar, which does not know it. */
export function placedEntries(error: GraphQLError): { readonly entries?: readonly unknown[] } {
  const { entries } = error.extensions
  if (!Array.isArray(entries) || !entries.some(isOfWhole)) return {}
  const path = isAboutVariable(error) ? refusedPath(error.message) : literalPath(error)
  return path === undefined ? {} : { entries: entries.map((entry: Violation) => (isOfWhole(entry) ? { ...entry, path } : entry)) }
}

const isOfWhole = (entry: Violation | undefined): boolean => entry?.path?.length === 0

/** graphql-js quotes the argument that a subgraph refuses, possibly an image or a citizen's text. */
const invalidArgument = /^Argument "(\w+)" has invalid value /

/** Converts any thrown value to a GraphQLError, to be masked next. */
export function graphqlErrorOf(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  return new GraphQLError(messageOf(thrown), { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) })
}

/** Returns the innermost error: graphql-js wraps that of a resolver, and plan execution wraps both. */
function rootOf(error: GraphQLError): Error {
  let root: Error = error
  while (root instanceof GraphQLError && root.originalError !== undefined) root = root.originalError
  return root
}

function remade(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  return new GraphQLError(message, { ...placeOf(error), extensions })
}

/** Returns the location of an error in the document and in the response. */
export function placeOf({ nodes, source, positions, path }: GraphQLError): GraphQLErrorOptions {
  return {
    ...(nodes === undefined ? {} : { nodes }),
    ...(source === undefined ? {} : { source }),
    ...(positions === undefined ? {} : { positions }),
    ...(path === undefined ? {} : { path }),
  }
}
