import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { Fault } from '../../foundation/fault.ts'
import { Backlog } from '../../foundation/http/backlog.ts'
import { faultStatus } from '../../foundation/http/fault-status.ts'
import { Intake, readBody } from '../../foundation/http/read-body.ts'
import { graphqlErrorOf } from '../errors/masked-error.ts'
import { InvalidOperation } from '../errors/masked-result.ts'
import { hasDefer } from '../operation/deferred-fragments.ts'
import type { Subscriber } from '../pipeline/subscriptions/subscriber.ts'
import { answerHead, contentTypeOf } from '../protocols/graphql-http/answer-head.ts'
import { refuseForgery } from '../protocols/graphql-http/csrf.ts'
import { isPlainBody } from '../protocols/graphql-http/direct-answer.ts'
import { answerBody, notAcceptable, ofTheWrongKind, withoutStream } from '../protocols/graphql-http/graphql-answer.ts'
import { answerInParts } from '../protocols/graphql-http/incremental-answer.ts'
import { type PartsFormat, partsFormat } from '../protocols/graphql-http/incremental-format.ts'
import { resultStream } from '../protocols/graphql-http/response-stream.ts'
import { cursorFrom, type StreamFormat, streamFormat } from '../protocols/graphql-http/subscription-format.ts'
import { type HandledGateway, type OperationRules, preparing } from './handled-gateway.ts'

export interface HttpHandlerOptions extends OperationRules {
  /** Returns the `contextValue` for data sources and `contextOf`, as the `context` option of Apollo Server's integrations (default: an empty object). */
  context?(request: { readonly req: IncomingMessage; readonly res: ServerResponse }): object | Promise<object>
  /** maximum request body, if no middleware has parsed it (default: 262,144) */
  readonly bodyBytes?: number
}

/** Handles a request of Node's HTTP server or Express; `next` handles requests without a streamed response. */
export type HttpHandler = (request: ParsedMessage, response: ServerResponse, next?: (error?: unknown) => void) => Promise<void>

/** A request whose body a middleware may have parsed. */
type ParsedMessage = IncomingMessage & { body?: unknown }

interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly cursor: unknown
}

const defaultBodyBytes = 256 * 1024
const intakeBytes = 256 * 1024 * 1024
const stallMs = 30_000

/**
 * Serves GraphQL over HTTP with subscriptions (server-sent events, multipart) and deferred fragments (multipart, server-sent events). Other requests go
 * to `next`, Apollo Server's middleware; without it, and for clients that accept streams only, they are answered here.
 */
export function httpHandler(
  gateway: HandledGateway,
  { context: contextValueOf, bodyBytes = defaultBodyBytes, ...rules }: HttpHandlerOptions,
): HttpHandler {
  const backlog = new Backlog()
  const intake = new Intake(intakeBytes)

  const prepare = preparing(rules)

  const handled = async (
    request: ParsedMessage,
    response: ServerResponse,
    { parts, format, isAlone, accept }: AcceptedFormats,
    next: (() => void) | undefined,
  ): Promise<void> => {
    if (parts === undefined && format === undefined && next !== undefined) return next()
    if (request.method === 'POST' && request.body === undefined) request.body = await parsedBody(request, bodyBytes, intake)
    if (!hasQuery(request) && next !== undefined) return next()
    // Apollo Server answers 406 to a client that accepts streams only
    const passOn = isAlone ? undefined : next
    const isMalformed = request.method === 'POST' && !isPlainBody(request.body)
    if (isMalformed && passOn !== undefined) return passOn()
    if (request.method !== 'GET' && request.method !== 'POST') {
      response.setHeader('allow', 'GET, POST')
      throw badRequest('The methods are GET and POST', 405)
    }
    refuseForgery(request.headers)
    if (contentTypeOf(accept) === undefined) throw notAcceptable()
    if (isMalformed) throw ofTheWrongKind()
    const { query, operationName, variables, cursor } = graphqlRequest(request)
    const executor = gateway.executor()
    const operation = prepare(executor, query, operationName)
    const isStream = operation.kind === 'subscription' ? format !== undefined : parts !== undefined && hasDefer(operation.document)
    if (!isStream && passOn !== undefined) return passOn()
    if (operation.kind === 'mutation' && request.method === 'GET') {
      response.setHeader('allow', 'POST')
      throw badRequest('Mutations are sent with POST', 405)
    }
    if (operation.kind === 'subscription' && format === undefined) throw withoutStream()
    const contextValue = (await contextValueOf?.({ req: request, res: response })) ?? {}
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort())
    const received = { operation, executor, variables, request, contextValue }
    const { context, end } = gateway.contextOf(received, disconnected.signal)
    try {
      if (operation.kind === 'subscription' && format !== undefined) {
        const from = cursorFrom(cursor, format, request.headers)
        const refusal = await streamed(response, format, backlog, (subscriber, disconnected) =>
          gateway.streams.deliver({ ...received, ...context, cursor: from }, disconnected, subscriber),
        )
        if (refusal !== undefined) answer(response, refusal, accept)
        return
      }
      const result = await executor.execute(operation, variables, context, parts === undefined ? 'whole' : 'in parts')
      const inParts = result.later !== undefined || (isAlone && format?.name === 'sse' && result.data !== undefined)
      if (inParts && parts !== undefined) await answerInParts(response, {}, result, parts)
      else answer(response, result, accept)
    } finally {
      end()
    }
  }

  return async (request, response, next) => {
    const wanted = acceptedFormats(request.headers.accept)
    try {
      await handled(request, response, wanted, next && (() => next()))
    } catch (error) {
      if (response.headersSent) response.destroy()
      else if (error instanceof InvalidOperation && next !== undefined && !wanted.isAlone) next()
      else refuse(response, error, wanted.accept, gateway.errorFor)
    }
  }
}

/** The formats that an Accept header admits. */
interface AcceptedFormats {
  readonly parts: PartsFormat | undefined
  readonly format: StreamFormat | undefined
  /** whether only streams are admitted */
  readonly isAlone: boolean
  /** the Accept header for a single response; a refusal of a stream is one */
  readonly accept: string | undefined
}

function acceptedFormats(accept: string | undefined): AcceptedFormats {
  const [parts, format] = [partsFormat(accept), streamFormat(accept)]
  const isAlone = (parts ?? format) !== undefined && contentTypeOf(accept) === undefined
  return { parts, format, isAlone, accept: isAlone ? 'application/graphql-response+json' : accept }
}

/**
 * Opens a stream in a response when its subscription has started. @param join - adds the subscriber; returns the refusal
 * @returns the refusal
 */
async function streamed(
  response: ServerResponse,
  format: StreamFormat,
  backlog: Backlog,
  join: (subscriber: Subscriber, disconnected: AbortSignal) => Promise<ExecutionResult | undefined>,
): Promise<ExecutionResult | undefined> {
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  // events may arrive before the start is confirmed
  const early: ((stream: Subscriber) => unknown)[] = []
  let stream: Subscriber | undefined
  const refusal = await join(
    {
      deliver(...event) {
        if (stream !== undefined) return stream.deliver(...event)
        early.push((opened) => opened.deliver(...event))
        return undefined
      },
      end(last) {
        if (stream === undefined) early.push((opened) => opened.end(last))
        else stream.end(last)
      },
    },
    disconnected.signal,
  )
  if (refusal !== undefined) return refusal
  const opened = resultStream(response, format, { 'cache-control': 'no-store' }, () => disconnected.abort(), backlog)
  stream = opened
  for (const deliver of early) deliver(opened)
  return undefined
}

function answer(response: ServerResponse, result: ExecutionResult, accept: string | undefined, refused?: number): void {
  const { status, headers } = answerHead(result, accept)
  const contentType = contentTypeOf(accept) ?? 'application/json; charset=utf-8'
  response.writeHead(status ?? refused ?? (result.data === undefined ? 400 : 200), {
    'cache-control': 'no-store',
    'content-type': contentType,
    ...headers,
  })
  response.end(answerBody(result))
}

/** Answers a request that was refused before its execution, with the status of the error. @param errorFor - returns the error for a client */
function refuse(response: ServerResponse, error: unknown, accept: string | undefined, errorFor: HandledGateway['errorFor']): void {
  if (error instanceof InvalidOperation) {
    answer(response, { errors: error.errors }, accept, 400)
    return
  }
  const { http } = graphqlErrorOf(error).extensions
  const given = typeof http === 'object' && http !== null && 'status' in http ? Number(http.status) : undefined
  const status = given ?? (error instanceof Fault ? faultStatus[error.code] : 500)
  const { message, extensions } = errorFor(error)
  const { http: _, ...details } = extensions
  answer(response, { errors: [new GraphQLError(message, { extensions: { code: 'INTERNAL_SERVER_ERROR', ...details } })] }, accept, status)
}

async function parsedBody(request: IncomingMessage, maxBytes: number, intake: Intake): Promise<unknown> {
  using body = await readBody(request, { maxBytes, intake, stallMs })
  try {
    return JSON.parse(body.bytes.toString())
  } catch {
    throw badRequest('The body is not JSON')
  }
}

const searchOf = ({ url = '/' }: IncomingMessage): URLSearchParams => new URL(url, 'http://localhost').searchParams

function hasQuery(request: ParsedMessage): boolean {
  const query = request.method === 'GET' ? searchOf(request).get('query') : recordOf(request.body)?.query
  return typeof query === 'string' && query !== ''
}

/** Returns the members of a request; those of a body have the right types. @throws {GraphQLError} BAD_REQUEST (400) */
function graphqlRequest(request: ParsedMessage): GraphqlRequest {
  const { query, operationName, variables, extensions } = request.method === 'GET' ? searched(request) : (recordOf(request.body) ?? {})
  if (typeof query !== 'string' || query === '') throw badRequest('The request has no query')
  return {
    query,
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
    variables: recordOf(variables) ?? {},
    cursor: recordOf(extensions)?.cursor,
  }
}

/** Returns the members in a query string. */
function searched(request: IncomingMessage): Readonly<Record<string, unknown>> {
  const search = searchOf(request)
  for (const name of ['query', 'operationName', 'variables', 'extensions'])
    if (search.getAll(name).length > 1) throw badRequest(`The parameter ${name} is repeated: send it once`)
  return {
    query: search.get('query'),
    operationName: search.get('operationName'),
    variables: parsed('variables', search),
    extensions: parsed('extensions', search),
  }
}

function parsed(name: string, search: URLSearchParams): Readonly<Record<string, unknown>> | undefined {
  const json = search.get(name)
  if (json === null || json === '' || json === 'null') return undefined
  try {
    const members = recordOf(JSON.parse(json))
    if (members !== undefined) return members
  } catch {
    // refused below
  }
  throw badRequest(`The parameter ${name} is no JSON object`)
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  // the check makes it a record of unknown members
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

const badRequest = (message: string, status = 400): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } })
