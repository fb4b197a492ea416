import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import type { AdmissionGate } from '../../../foundation/concurrency/load-gate.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { type Authentication, credentialsOf, headersOf, signInDeadline } from '../../../foundation/http/authentication.ts'
import { clientAddress } from '../../../foundation/http/client-address.ts'
import { leaveUncompressed } from '../../../foundation/http/compressed-answers.ts'
import { revocable } from '../../../foundation/http/credentials-end.ts'
import { abortOnDisconnect, requestContext } from '../../../foundation/http/request-context.ts'
import { watchReader } from '../../../foundation/http/slow-readers.ts'
import type { Log } from '../../../foundation/log.ts'
import { traceIdIn } from '../../../foundation/tracing/trace-context.ts'
import { anonymousRequest, exceededRequestLimit } from '../../admission/request-limits.ts'
import type { CachePolicy } from '../../caching/cache-policy.ts'
import { InvalidOperation } from '../../errors/masked-result.ts'
import type { PreparedOperation } from '../../executor/executor.ts'
import { hasDefer } from '../../operation/deferred-fragments.ts'
import { checkDepth } from '../../operation/variable-values.ts'
import type { ClientGraph } from '../../pipeline/client-graph.ts'
import type { ClientOperations } from '../../pipeline/client-operations.ts'
import type { NamedOperation, PersistedOperations } from '../../pipeline/persisted-operations.ts'
import type { RateLimit } from '../../pipeline/rate-limit.ts'
import { contentTypeOf, varyByRequest } from './answer-head.ts'
import type { Apollo } from './apollo-server.ts'
import { refuseForgery } from './csrf.ts'
import { canBypassApollo, directAnswer, isPlainBody } from './direct-answer.ts'
import { notAcceptable, ofTheWrongKind, refusedRequest, withoutStream } from './graphql-answer.ts'
import type { ReleaseBody } from './graphql-body.ts'
import { answerInParts } from './incremental-answer.ts'
import { partsFormat } from './incremental-format.ts'
import type { StreamAnswers } from './subscription-answer.ts'
import { cursorFrom, streamFormat } from './subscription-format.ts'

export interface GraphqlHandlerOptions {
  /** returns the current graph */
  readonly graph: () => ClientGraph
  readonly persisted: PersistedOperations
  /** counts each request of an authenticated caller */
  readonly rate: RateLimit
  readonly authentication: Authentication
  readonly apollo: Apollo
  readonly log: Log
  readonly requestTimeoutMs: number
  /** checked before a write */
  readonly gate: AdmissionGate
  /** number of trusted proxies in front of this process */
  readonly trustedProxies: number
  /** subscriptions in HTTP responses */
  readonly streams: StreamAnswers
  readonly releaseBody: ReleaseBody
  /** whether a well-formed POST may bypass Apollo Server */
  readonly direct: boolean
}

/** The members of a GraphQL request over HTTP that have the right type. */
interface GraphqlRequest extends NamedOperation {
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** whether the response contains the estimated cost */
  readonly cost: boolean
  /** cursor of the last event of an interrupted subscription */
  readonly cursor: unknown
  /** whether the response contains the query plan */
  readonly queryPlan: boolean
}

const inOne = 'application/graphql-response+json'

/**
 * Handles POST and GET /graphql. Each request passes the same checks (CSRF, credentials, persisted queries, limits); a well-formed POST of an
 * accepted operation goes directly to the executor unless `direct` is off, everything else (GET, malformed bodies, invalid documents, refusals) to Apollo
 * Server. Both ways return the same bytes.
 */
export function graphqlHandler(options: GraphqlHandlerOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { graph, persisted, rate, authentication, apollo, log, requestTimeoutMs, trustedProxies, gate, streams, releaseBody, direct } =
    options
  const callers = headersOf(authentication)

  const viaApollo = async (
    request: FastifyRequest,
    reply: FastifyReply,
    context: () => Promise<RequestContext>,
    cachePolicy?: CachePolicy,
  ): Promise<unknown> => {
    const { accept } = request.headers
    const answer = fastifyApolloHandler(apollo.server, { context })
    return apollo.answering({ requestId: request.id, accept, traceId: traceIdIn(traceparentIn(request)), cachePolicy }, () =>
      Promise.resolve(answer.call(request.server, request, reply)),
    )
  }

  return async (request, reply) => {
    const startedAt = performance.now()
    const disconnected = new AbortController()
    abortOnDisconnect(reply.raw, disconnected)
    reply.header('cache-control', 'no-store')
    const parts = partsFormat(request.headers.accept)
    const format = streamFormat(request.headers.accept)
    const inEvents = format?.name === 'sse' && !takesJson(request)
    // a refusal is a single response
    if (format?.name === 'multipart' || ((format ?? parts) !== undefined && !takesJson(request))) request.headers.accept = inOne
    try {
      refuseForgery(request.headers)
      if (contentTypeOf(request.headers.accept) === undefined) throw notAcceptable()
      // keeps this graph even if another is loaded meanwhile
      const { executor, operations } = graph()
      const named = graphqlRequest(request)
      const { query, operationName, variables, cost, queryPlan, cursor } = named
      const text = await persisted.textOf(named)
      const address = clientAddress(request.raw, trustedProxies)
      if (text !== undefined) await operations.turn(text, address)
      const operation = text === undefined ? undefined : admitted(operations, text, operationName, format !== undefined)
      if (operation?.kind === 'mutation') {
        gate.admit('write')
        // logins, passwords and keys are returned by mutations only
        leaveUncompressed(reply)
      }
      const credentials = credentialsOf(request.raw)
      if (credentials.accessLink !== undefined) reply.header('cache-control', 'private, no-store')
      const principal = await authentication.principalOf(credentials, signInDeadline(credentials, disconnected.signal, requestTimeoutMs))
      const { headers, refusal: tooMany } = await rate({ principal, address })
      reply.headers(headers)
      if (tooMany !== undefined) throw tooMany
      using context = requestContext({
        principal,
        requestId: request.id,
        address,
        traceparent: traceparentIn(request),
        log,
        timeoutMs: requestTimeoutMs,
        startedAt,
        disconnected: disconnected.signal,
      })
      if (cost) executor.report(context)
      if (queryPlan) executor.disclosePlan(context)
      if (query !== undefined && operation !== undefined) await persisted.store(query, named.persistedQuery, address)
      if (operation?.kind === 'subscription' && format !== undefined) {
        if (request.method === 'POST' && !isPlainBody(request.body)) throw ofTheWrongKind()
        checkDepth(variables)
        request.headers.accept = inOne
        const refusal = await streams.subscribe({
          operation,
          variables,
          context: { ...context, cursor: cursorFrom(cursor, format, request.headers) },
          format,
          reply,
          disconnected: disconnected.signal,
          reauthenticate: (signal) => authentication.principalOf(revocable(credentials, principal), signal),
        })
        if (refusal !== undefined) return directAnswer(request, reply, refusal)
        releaseBody(request)
        return reply
      }
      if (parts !== undefined && operation !== undefined && hasDefer(operation.document) && canBypassApollo(request, operation, true)) {
        const answer = await executor.execute(operation, variables, context, 'in parts')
        if (answer.data === undefined || (answer.later === undefined && !inEvents)) return directAnswer(request, reply, answer)
        const headers = reply.getHeaders()
        reply.hijack()
        releaseBody(request)
        watchReader(request, reply.raw)
        await answerInParts(reply.raw, headers, answer, parts)
        return reply
      }
      const cachePolicy = operation && executor.cachePolicy(operation)
      if (cachePolicy !== undefined) varyByRequest(reply, cachePolicy, callers)
      if (operation === undefined || !(direct || inEvents) || !canBypassApollo(request, operation, inEvents)) {
        if (text !== undefined && (query === undefined || named.persistedQuery !== undefined)) withText(request, text)
        return await viaApollo(request, reply, async () => context, cachePolicy)
      }
      const result = await executor.execute(operation, variables, context)
      const whole = directAnswer(request, reply, result, cachePolicy)
      if (!inEvents || result.data === undefined) return whole
      reply.header('content-type', format.contentType)
      return `${format.opening}${format.result(whole.trimEnd())}${format.closing}`
    } catch (error) {
      const refusal = refusedRequest(error)
      return await viaApollo(request, reply, async () => {
        throw refusal
      })
    }
  }
}

const takesJson = ({ headers }: FastifyRequest): boolean => /\bapplication\/|\*\/\*/i.test(headers.accept ?? '')

/**
 * @param streams - whether the response may be a stream
 * @returns undefined for a document that Apollo Server refuses
 * @throws {GraphQLError} beyond a limit, or for a subscription without a streaming response
 */
function admitted(operations: ClientOperations, text: string, name: string | undefined, streams: boolean): PreparedOperation | undefined {
  try {
    const operation = operations.admit(text, name)
    if (streams || operation.kind !== 'subscription') return operation
  } catch (error) {
    if (!(error instanceof InvalidOperation)) throw error
    const [first] = error.errors
    if (first?.extensions.code === 'LIMIT_EXCEEDED') throw first
    // graphql-js throws while validating such a document, so Apollo Server must not process it.
    if (first?.message.startsWith('A root field of a subscription'))
      throw new GraphQLError(first.message, { extensions: { ...first.extensions, http: { status: 400 } } })
    return undefined
  }
  throw withoutStream()
}

function graphqlRequest(request: FastifyRequest): GraphqlRequest {
  if (request.method === 'GET') {
    const { query, documentId, operationName, variables, extensions } = request.query as Record<string, unknown>
    const more = record(parsed(text(extensions)))
    return {
      query: text(query),
      operationName: text(operationName),
      variables: record(parsed(text(variables))) ?? {},
      documentId,
      persistedQuery: more?.persistedQuery,
      cost: more?.cost === true,
      cursor: more?.cursor,
      queryPlan: more?.queryPlan === true,
    }
  }
  const body = record(request.body) ?? {}
  const more = record(body.extensions)
  return {
    query: text(body.query),
    operationName: text(body.operationName),
    variables: record(body.variables) ?? {},
    documentId: body.documentId,
    persistedQuery: more?.persistedQuery,
    cost: more?.cost === true,
    cursor: more?.cursor,
    queryPlan: more?.queryPlan === true,
  }
}

/** Replaces a persisted query by its text for Apollo Server, which refuses each request with a hash. */
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

const traceparentIn = ({ headers }: FastifyRequest): string | undefined => text(headers.traceparent)

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
function record(value: unknown): Record<string, unknown> | undefined {
  // the check makes it a record of unknown members
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}
/** @throws {GraphQLError} LIMIT_EXCEEDED before parsing a text beyond the limits */
function parsed(json: string | undefined): unknown {
  if (json === undefined) return undefined
  const exceeded = exceededRequestLimit(json, anonymousRequest)
  if (exceeded !== undefined) throw new GraphQLError(exceeded, { extensions: { code: 'LIMIT_EXCEEDED', http: { status: 400 } } })
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
