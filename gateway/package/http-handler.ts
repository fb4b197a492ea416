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
import { answerBody } from '../protocols/graphql-http/graphql-answer.ts'
import { answerInParts } from '../protocols/graphql-http/parts-answer.ts'
import { partsFormat } from '../protocols/graphql-http/parts-format.ts'
import { resultStream } from '../protocols/graphql-http/result-stream.ts'
import { type StreamFormat, streamFormat } from '../protocols/graphql-http/stream-format.ts'
import type { HandledGateway } from './handled-gateway.ts'

export interface HttpHandlerOptions {
  /** Returns the `contextValue` for data sources and `contextOf`, as the `context` option of Apollo Server's integrations (default: an empty object). */
  context?(request: { readonly req: IncomingMessage; readonly res: ServerResponse }): object | Promise<object>
  /** maximum request body, if no middleware has parsed it (default: 262,144) */
  readonly bodyBytes?: number
}

/** Handles a request of Node's HTTP server or Express; `next` handles what is no stream. */
export type HttpHandler = (request: ParsedMessage, response: ServerResponse, next?: (error?: unknown) => void) => Promise<void>

/** A request whose body a middleware may have parsed. */
type ParsedMessage = IncomingMessage & { body?: unknown }

interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly cursor: string | undefined
}

const defaultBodyBytes = 256 * 1024
const intakeBytes = 256 * 1024 * 1024
const stallMs = 30_000

/**
 * Serves GraphQL over HTTP with subscriptions (server-sent events, multipart) and deferred fragments (multipart, server-sent events). Other requests go
 * to `next`, Apollo Server's middleware; without it they are answered here.
 */
export function httpHandler(
  gateway: HandledGateway,
  { context: contextValueOf, bodyBytes = defaultBodyBytes }: HttpHandlerOptions,
): HttpHandler {
  const backlog = new Backlog()
  const intake = new Intake(intakeBytes)

  const handled = async (request: ParsedMessage, response: ServerResponse, next: (() => void) | undefined): Promise<void> => {
    const { accept } = request.headers
    const [parts, format] = [partsFormat(accept), streamFormat(accept)]
    if (parts === undefined && format === undefined && next !== undefined) return next()
    if (request.method === 'POST' && request.body === undefined) request.body = await parsedBody(request, bodyBytes, intake)
    const graphql = graphqlRequest(request)
    if (graphql === undefined && next !== undefined) return next()
    if (request.method !== 'GET' && request.method !== 'POST') {
      response.setHeader('allow', 'GET, POST')
      throw badRequest('The methods are GET and POST', 405)
    }
    refuseForgery(request.headers)
    if (graphql === undefined) throw badRequest('The request has no query')
    const executor = gateway.executor()
    const operation = executor.prepare(graphql.query, graphql.operationName)
    const isStream = operation.kind === 'subscription' ? format !== undefined : parts !== undefined && hasDefer(operation.document)
    if (!isStream && next !== undefined) return next()
    if (operation.kind === 'mutation' && request.method === 'GET') {
      response.setHeader('allow', 'POST')
      throw badRequest('Mutations are sent with POST', 405)
    }
    const contextValue = (await contextValueOf?.({ req: request, res: response })) ?? {}
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const received = { operation, executor, variables: graphql.variables, request, contextValue }
    const { context, end } = gateway.contextOf(received, gone.signal)
    try {
      if (operation.kind === 'subscription' && format !== undefined) {
        const refusal = await streamed(response, format, backlog, (subscriber, left) =>
          gateway.streams.deliver({ ...received, ...context, cursor: graphql.cursor }, left, subscriber),
        )
        if (refusal !== undefined) answer(response, refusal, accept)
        return
      }
      const result = await executor.execute(operation, graphql.variables, context, parts === undefined ? 'whole' : 'in parts')
      if (result.later === undefined || parts === undefined) answer(response, result, accept)
      else await answerInParts(response, {}, result, parts)
    } finally {
      end()
    }
  }

  return async (request, response, next) => {
    try {
      await handled(request, response, next && (() => next()))
    } catch (error) {
      if (response.headersSent) response.destroy()
      else if (error instanceof InvalidOperation && next !== undefined) next()
      else refuse(response, error, request.headers.accept)
    }
  }
}

/**
 * Opens a stream in a response when its subscription has started. @param join - adds the subscriber; returns the refusal
 * @returns the refusal
 */
async function streamed(
  response: ServerResponse,
  format: StreamFormat,
  backlog: Backlog,
  join: (subscriber: Subscriber, left: AbortSignal) => Promise<ExecutionResult | undefined>,
): Promise<ExecutionResult | undefined> {
  const left = new AbortController()
  response.once('close', () => left.abort())
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
    left.signal,
  )
  if (refusal !== undefined) return refusal
  const opened = resultStream(response, format, { 'cache-control': 'no-store' }, () => left.abort(), backlog)
  stream = opened
  for (const deliver of early) deliver(opened)
  return undefined
}

function answer(response: ServerResponse, result: ExecutionResult, accept: string | undefined, refused?: number): void {
  const { status, headers } = answerHead(result, accept)
  const contentType = contentTypeOf(accept) ?? 'application/json; charset=utf-8'
  response.writeHead(status ?? refused ?? 200, { 'cache-control': 'no-store', 'content-type': contentType, ...headers })
  response.end(answerBody(result))
}

/** Answers a request that was refused before its execution, with the status of the error. */
function refuse(response: ServerResponse, error: unknown, accept: string | undefined): void {
  if (error instanceof InvalidOperation) {
    answer(response, { errors: error.errors }, accept, 400)
    return
  }
  const refused = graphqlErrorOf(error)
  const { http, ...extensions } = refused.extensions
  const given = typeof http === 'object' && http !== null && 'status' in http ? Number(http.status) : undefined
  const status = given ?? (error instanceof Fault ? faultStatus[error.code] : 500)
  answer(
    response,
    { errors: [new GraphQLError(refused.message, { extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions } })] },
    accept,
    status,
  )
}

async function parsedBody(request: IncomingMessage, maxBytes: number, intake: Intake): Promise<unknown> {
  using body = await readBody(request, { maxBytes, intake, stallMs })
  try {
    return JSON.parse(body.bytes.toString())
  } catch {
    throw badRequest('The body is not JSON')
  }
}

function graphqlRequest({ method, body, url = '/' }: ParsedMessage): GraphqlRequest | undefined {
  const { searchParams } = new URL(url, 'http://localhost')
  const given = method === 'GET' ? Object.fromEntries(searchParams) : recordOf(body)
  const { query, operationName, variables, extensions } = given ?? {}
  if (typeof query !== 'string' || query === '') return undefined
  const { cursor } = recordOf(parsed(extensions)) ?? {}
  return {
    query,
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
    variables: recordOf(parsed(variables)) ?? {},
    cursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
  }
}

/** Parses a member of a query string. */
function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    throw badRequest('variables and extensions must be JSON objects')
  }
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  // the check makes it a record of unknown members
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

const badRequest = (message: string, status = 400): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } })
