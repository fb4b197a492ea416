import type { Readable } from 'node:stream'
import type { ExecutionResult } from 'graphql'
import { Pool } from 'undici'
import { FairQueue } from '../../foundation/concurrency/fair-queue.ts'
import { codeOf, EngineUnavailable, Fault, NotFound, OutcomeUnknown } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { type PrincipalTokens, principalClaimsOf, principalHeader } from './principal-token.ts'
import { failure, faultOf, resultOf } from './remote-answer.ts'
import { remoteStreams } from './remote-streams.ts'
import type { SubgraphSource } from './subgraph-source.ts'

export interface RemoteSourceOptions {
  /** name of the subgraph and audience of principal tokens */
  readonly name: string
  /** URL of its GraphQL endpoint; subscriptions use the same path over WebSocket */
  readonly url: string
  /** signs principals for subgraphs of the platform; foreign ones get forwarded headers */
  readonly tokens?: PrincipalTokens
  readonly connections?: number
  readonly connectTimeoutMs?: number
  /** time limit of a response, in addition to the deadline of the request */
  readonly timeoutMs?: number
  /** silence after which a subgraph is probed before a mutation */
  readonly quietMs?: number
  readonly maxAnswerBytes?: number
  /** how long a subscription waits for a lost subgraph */
  readonly reconnectMs?: number
}

/** Calls a subgraph in another process. Addresses in its responses or in network errors never reach a caller. */
export function remoteSource(options: RemoteSourceOptions): SubgraphSource {
  const { name, url, tokens, connections = 64, connectTimeoutMs = 2000, timeoutMs = 30_000 } = options
  const { quietMs = 250, reconnectMs = 60_000 } = options
  const address = new URL(url)
  const pool = new Pool(address.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: options.maxAnswerBytes ?? 64 * 1024 * 1024,
  })
  // one client with many fetches, such as deferred ones, must not delay the others by all of them
  const slots = new FairQueue({ maxAtOnce: connections, maxPerOwner: Infinity, maxWaiting: Infinity, maxWaitMs: Infinity })
  const path = `${address.pathname}${address.search}`
  const identityHeaders = (context: RequestContext): Record<string, string> =>
    tokens === undefined ? { ...context.principal.forwarded } : { [principalHeader]: tokens.sign(principalClaimsOf(context), name) }
  const streams = remoteStreams({
    name,
    url: address,
    reconnectMs,
    extensionsOf: (context) => (tokens === undefined ? {} : { extensions: { principal: tokens.sign(principalClaimsOf(context), name) } }),
  })

  /** last response, by performance.now() */
  let respondedAt = Number.NEGATIVE_INFINITY
  const post = async (body: string, context: RequestContext, traceparent?: string): Promise<ExecutionResult> => {
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        'x-request-id': context.requestId,
        ...identityHeaders(context),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body,
      signal: context.signal,
    })
    respondedAt = performance.now()
    const { statusCode, headers } = answer
    // GraphQL over HTTP allows 4xx and 5xx for a result; only a GraphQL media type is then trusted
    const isGraphql = statusCode === 200 || /json/i.test(String(headers['content-type']))
    if (!isGraphql) await answer.body.dump()
    const result = isGraphql ? resultOf(await answer.body.json()) : undefined
    if (result !== undefined && (statusCode === 200 || isFromSubgraph(result))) return result
    const reason = `the subgraph returned HTTP ${statusCode}${isGraphql ? ' without a GraphQL result' : ''}`
    const cause = result === undefined && balancerStatuses.includes(statusCode) ? new UpstreamUnavailable(reason) : new Error(reason)
    throw statusCode < 500 || statusCode === 503 ? new EngineUnavailable(name, cause) : cause
  }

  /** Sends a query; retries once after a connection or balancer failure, since another process may be available. */
  const sendQuery = (body: string, context: RequestContext, traceparent?: string): Promise<ExecutionResult> =>
    post(body, context, traceparent).catch((error: unknown) => {
      if (!(isClosedConnection(error) || wasUnavailable(error)) || context.signal.aborted) throw error
      return post(body, context, traceparent)
    })

  /** Sends a mutation once, to a responsive subgraph; waits for its outcome even past the deadline. @throws {OutcomeUnknown} after it was sent */
  const sendMutation = async (body: string, context: RequestContext, traceparent?: string): Promise<ExecutionResult> => {
    const { deadline } = context
    // a starting or busy subgraph may still execute it much later, so its outcome would be unknown
    if (performance.now() - respondedAt > quietMs) await sendQuery(probeQuery, context)
    deadline.begin()
    let mayHaveTakenEffect = false
    try {
      const result = await post(body, context, traceparent)
      mayHaveTakenEffect = mayHaveRun(result)
      return result
    } catch (error) {
      mayHaveTakenEffect = !wasRefused(error)
      throw mayHaveTakenEffect ? new OutcomeUnknown(error) : error
    } finally {
      deadline.ended(mayHaveTakenEffect)
    }
  }

  const open = async (id: string, context: RequestContext): Promise<Readable> => {
    const { statusCode, body } = await pool.request({
      path: `/files/${encodeURIComponent(id)}`,
      method: 'GET',
      headers: { 'x-request-id': context.requestId, ...identityHeaders(context) },
      signal: context.signal,
    })
    if (statusCode === 200) return body
    await body.dump()
    if (statusCode === 404) throw new NotFound()
    throw new EngineUnavailable(name, new Error(`GET /files of the subgraph returned HTTP ${statusCode}`))
  }

  return {
    async fetch({ query, operationName, variables, context, traceparent }) {
      const { signal } = context
      const body = JSON.stringify({ query, variables, operationName })
      const send = query.startsWith('mutation') ? sendMutation : sendQuery
      // signs after the wait for a connection, so that the remaining time is correct
      return slots
        .runAt(context.address, () => send(body, context, traceparent), signal)
        .catch((error: unknown): ExecutionResult => ({ errors: [failure(name, error, signal)] }))
    },
    async stream(subscription) {
      return streams.open(subscription)
    },
    async openFile(id, context) {
      const failed = (error: unknown): Fault => (error instanceof Fault ? error : faultOf(name, error, context.signal))
      try {
        return await open(id, context)
      } catch (error) {
        if (!isClosedConnection(error) || context.signal.aborted) throw failed(error)
        return await open(id, context).catch((again: unknown) => {
          throw failed(again)
        })
      }
    },
    async stop() {
      streams.stop()
      await pool.close().catch(() => undefined)
    },
  }
}

/** A query that every GraphQL server can execute. */
const probeQuery = JSON.stringify({ query: '{ __typename }' })

/** Whether the request was not executed: it was never sent, or the response says so. */
const wasRefused = (error: unknown): boolean =>
  error instanceof EngineUnavailable ||
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error))

/** A reused connection that the subgraph closed during the write (restart, idle timeout). */
const isClosedConnection = (error: unknown): boolean => codeOf(error) === 'UND_ERR_SOCKET'

/** Statuses of a proxy whose upstream is unavailable: RFC 9110, sections 15.6.3 to 15.6.5. */
const balancerStatuses = [502, 503, 504]

/** A response of an intermediary, such as a balancer. Only 503 guarantees that the subgraph has not received the request. */
class UpstreamUnavailable extends Error {}

const wasUnavailable = (error: unknown): boolean =>
  error instanceof UpstreamUnavailable || (error instanceof Error && error.cause instanceof UpstreamUnavailable)

/**
 * Whether a mutation of the operation may have been executed: not if each is null because of an error of its own; an error inside a result means it
 * was.
 */
function mayHaveRun({ data, errors = [] }: ExecutionResult): boolean {
  if (errors.some(({ extensions }) => extensions?.code === 'OUTCOME_UNKNOWN')) return true
  const wasRefused = (name: string): boolean => errors.some(({ path }) => path?.length === 1 && path[0] === name)
  return data != null && Object.entries(data).some(([name, answer]) => answer !== null || !wasRefused(name))
}

/** Whether a response with an error status comes from the GraphQL server of the subgraph. */
function isFromSubgraph({ data, errors = [] }: ExecutionResult): boolean {
  return data !== undefined || errors.every(({ extensions }) => extensions?.code !== undefined)
}
