import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import type { Door } from '../../subgraphs/foundation/concurrency/load-gate.ts'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import type { ClientOperations } from '../admission/client-operations.ts'
import type { PersistedQueries } from '../admission/persisted-operations.ts'
import { InvalidOperation } from '../errors.ts'
import type { Executor, PreparedOperation } from '../executor.ts'
import { type Authentication, credentialsOf, signInDeadline } from '../http/authentication.ts'
import { clientAddress } from '../http/client-address.ts'
import { abortWhenGone, requestContext } from '../request-context.ts'
import type { Apollo } from './apollo-server.ts'
import { refuseForgery } from './csrf.ts'
import { answerBody, httpStatus, refusedRequest, retryAfterOf } from './graphql-answer.ts'

export interface GraphqlHandlerOptions {
  readonly executor: Executor
  readonly operations: ClientOperations
  readonly persisted: PersistedQueries
  readonly authentication: Authentication
  readonly apollo: Apollo
  readonly log: Log
  readonly requestTimeoutMs: number
  /** asked before anything is written */
  readonly door: Door
  /** how many proxies of ours stand before this process */
  readonly trustedProxies: number
}

/** The members of a GraphQL request over HTTP, as far as they have the right kind. */
interface GraphqlRequest {
  readonly query: string | undefined
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly persistedQuery: unknown
}

const json = 'application/json; charset=utf-8'
const maxAcceptHeaders = 200

/**
 * POST and GET /graphql. Each request passes the same guards (forgery, credentials, persisted queries, limits); a well-formed POST of an
 * admitted operation then goes straight to the executor, everything else (GET, odd bodies, invalid documents, refusals) is answered by
 * Apollo Server. Both ways give the same bytes.
 */
export function graphqlHandler(options: GraphqlHandlerOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { executor, operations, persisted, authentication, apollo, log, requestTimeoutMs, trustedProxies, door } = options
  // Which content type an Accept header gets is learned from Apollo Server's own answers.
  const contentTypes = new Map<string | undefined, string>([
    [undefined, json],
    ['*/*', json],
    ['application/json', json],
  ])

  const viaApollo = async (request: FastifyRequest, reply: FastifyReply, context: () => Promise<RequestContext>): Promise<unknown> => {
    const { accept } = request.headers
    const answer = fastifyApolloHandler(apollo.server, { context })
    const body = await apollo.answering({ requestId: request.id, accept }, () =>
      Promise.resolve(answer.call(request.server, request, reply)),
    )
    const contentType = reply.getHeader('content-type')
    if (reply.statusCode === 200 && typeof contentType === 'string' && contentTypes.size < maxAcceptHeaders)
      contentTypes.set(accept, contentType)
    return body
  }

  return async (request, reply) => {
    const startedAt = performance.now()
    const gone = new AbortController()
    abortWhenGone(reply.raw, gone)
    reply.header('cache-control', 'no-store')
    try {
      refuseForgery(request.headers)
      const { query, operationName, variables, persistedQuery } = graphqlRequest(request)
      const text = await persisted.textOf(query, persistedQuery)
      const operation = text === undefined ? undefined : admitted(operations, text, operationName)
      if (operation?.kind === 'mutation') door.admit('write')
      const credentials = credentialsOf(request.raw)
      const principal = await authentication.principalOf(credentials, signInDeadline(credentials, gone.signal, requestTimeoutMs))
      using context = requestContext({
        principal,
        requestId: request.id,
        address: clientAddress(request.raw, trustedProxies),
        log,
        timeoutMs: requestTimeoutMs,
        startedAt,
        clientGone: gone.signal,
      })
      if (text !== undefined && operation !== undefined) await persisted.keep(text, persistedQuery)
      const contentType = contentTypes.get(request.headers.accept)
      if (operation === undefined || contentType === undefined || request.method !== 'POST' || !isPlain(request.body)) {
        if (text !== undefined && query === undefined) withText(request, text)
        return await viaApollo(request, reply, async () => context)
      }
      const result = await executor.execute(operation, variables, context)
      const status = httpStatus(result, request.headers.accept) ?? (result.data === undefined ? 400 : 200)
      reply.code(status)
      if (status === 503) reply.header('retry-after', retryAfterOf(result))
      reply.header('content-type', contentType)
      return answerBody(result)
    } catch (error) {
      const refusal = refusedRequest(error)
      return await viaApollo(request, reply, async () => {
        throw refusal
      })
    }
  }
}

/**
 * @returns undefined for a document that Apollo Server is to refuse in its own words
 * @throws {GraphQLError} beyond a limit, or for a subscription
 */
function admitted(operations: ClientOperations, text: string, name: string | undefined): PreparedOperation | undefined {
  try {
    const operation = operations.admit(text, name)
    if (operation.kind !== 'subscription') return operation
  } catch (error) {
    if (!(error instanceof InvalidOperation)) throw error
    const [first] = error.errors
    if (first?.extensions.code === 'LIMIT_EXCEEDED') throw first
    // graphql-js throws while it validates such a document: Apollo Server must not see it.
    if (first?.message.startsWith('A root field of a subscription'))
      throw new GraphQLError(first.message, { extensions: { ...first.extensions, http: { status: 400 } } })
    return undefined
  }
  throw new GraphQLError('Subscriptions are answered over WebSocket (graphql-transport-ws) on the same path', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })
}

function graphqlRequest(request: FastifyRequest): GraphqlRequest {
  if (request.method === 'GET') {
    const { query, operationName, extensions } = request.query as Record<string, unknown>
    return {
      query: text(query),
      operationName: text(operationName),
      variables: {},
      persistedQuery: record(parsed(text(extensions)))?.persistedQuery,
    }
  }
  const body = record(request.body) ?? {}
  return {
    query: text(body.query),
    operationName: text(body.operationName),
    variables: record(body.variables) ?? {},
    persistedQuery: record(body.extensions)?.persistedQuery,
  }
}

/** Whether a body has nothing in it that Apollo Server would refuse. */
function isPlain(body: unknown): boolean {
  const { variables, extensions, operationName } = record(body) ?? { variables: 0 }
  return (
    absentOr(variables, 'object') &&
    !Array.isArray(variables) &&
    absentOr(extensions, 'object') &&
    !Array.isArray(extensions) &&
    absentOr(operationName, 'string')
  )
}

/** Apollo Server is not told of persisted queries: it gets the text. */
function withText(request: FastifyRequest, query: string): void {
  if (request.method === 'POST') {
    const { extensions: _, ...body } = record(request.body) ?? {}
    request.body = { ...body, query }
    return
  }
  const url = new URL(request.raw.url ?? '/', 'http://localhost')
  url.searchParams.set('query', query)
  url.searchParams.delete('extensions')
  request.raw.url = `${url.pathname}${url.search}`
}

const absentOr = (value: unknown, type: 'object' | 'string'): boolean => value === undefined || value === null || typeof value === type
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
function record(value: unknown): Record<string, unknown> | undefined {
  // The check is what makes it a record; its members stay unknown.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}
function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}
