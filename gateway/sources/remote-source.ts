import type { Readable } from 'node:stream'
import type { ExecutionResult } from 'graphql'
import { Pool } from 'undici'
import { Semaphore } from '../../foundation/concurrency/semaphore.ts'
import { codeOf, EngineUnavailable, Fault, NotFound, OutcomeUnknown } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { introductionOf, type PrincipalTokens, principalHeader } from './principal-token.ts'
import { failure, faultOf, resultOf } from './remote-answer.ts'
import { remoteStreams } from './remote-streams.ts'
import type { SubgraphSource } from './subgraph-source.ts'

export interface RemoteSourceOptions {
  /** name of the subgraph, which is also whom the principal tokens are for */
  readonly name: string
  /** where its GraphQL answers over HTTP; subscriptions go to the same path over WebSocket */
  readonly url: string
  /** tells a subgraph of ours who asks; a foreign one is told what the caller wants forwarded */
  readonly tokens?: PrincipalTokens
  readonly connections?: number
  readonly connectTimeoutMs?: number
  /** longest wait for an answer, besides the deadline of the request itself */
  readonly timeoutMs?: number
  /** a subgraph that has said nothing for so long is asked whether it answers before it is sent a change */
  readonly quietMs?: number
  readonly largestAnswerBytes?: number
  /** how long a subscription waits for a subgraph that has gone away */
  readonly reconnectMs?: number
}

/** A subgraph in another process. Nothing that it or the network says about addresses reaches a caller. */
export function remoteSource(options: RemoteSourceOptions): SubgraphSource {
  const { name, url, tokens, connections = 64, connectTimeoutMs = 2000, timeoutMs = 30_000 } = options
  const { quietMs = 250, reconnectMs = 60_000 } = options
  const address = new URL(url)
  const pool = new Pool(address.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: options.largestAnswerBytes ?? 64 * 1024 * 1024,
  })
  const slots = new Semaphore(connections)
  const path = `${address.pathname}${address.search}`
  const introduction = (context: RequestContext): Record<string, string> =>
    tokens === undefined ? { ...context.principal.forwarded } : { [principalHeader]: tokens.sign(introductionOf(context), name) }
  const streams = remoteStreams({
    name,
    url: address,
    reconnectMs,
    extensionsOf: (context) => (tokens === undefined ? {} : { extensions: { principal: tokens.sign(introductionOf(context), name) } }),
  })

  /** when it last said something, by performance.now() */
  let heardAt = Number.NEGATIVE_INFINITY
  const ask = async (body: string, context: RequestContext, traceparent?: string): Promise<ExecutionResult> => {
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        'x-request-id': context.requestId,
        ...introduction(context),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body,
      signal: context.signal,
    })
    heardAt = performance.now()
    const { statusCode, headers } = answer
    // GraphQL over HTTP lets a server answer an operation with a status of 4xx or 5xx; only a body of its own type is then to be trusted.
    const isGraphql = statusCode === 200 || /json/i.test(String(headers['content-type']))
    if (!isGraphql) await answer.body.dump()
    const result = isGraphql ? resultOf(await answer.body.json()) : undefined
    if (result !== undefined && (statusCode === 200 || isMeant(result))) return result
    const told = `it answered ${statusCode}${isGraphql ? ' and no GraphQL result' : ''}`
    const odd = result === undefined && byBalancers.includes(statusCode) ? new NotReached(told) : new Error(told)
    throw statusCode < 500 || statusCode === 503 ? new EngineUnavailable(name, odd) : odd
  }

  /** A failure is tried once more when it was the connection's, or a balancer's: another process may be there. */
  const look = (body: string, context: RequestContext, traceparent?: string): Promise<ExecutionResult> =>
    ask(body, context, traceparent).catch((error: unknown) => {
      if (!(isClosedConnection(error) || wasNotReached(error)) || context.signal.aborted) throw error
      return ask(body, context, traceparent)
    })

  /** Sent once, to a subgraph that answers; its outcome is waited for, also when the time is over meanwhile. @throws {OutcomeUnknown} once it is on its way */
  const change = async (body: string, context: RequestContext, traceparent?: string): Promise<ExecutionResult> => {
    const { deadline } = context
    // one that starts, or is busy, takes it off the network whenever it wakes: then nobody could say any more that it was not taken in
    if (performance.now() - heardAt > quietMs) await look(anything, context)
    deadline.begin()
    let mayBeTakenIn = false
    try {
      const result = await ask(body, context, traceparent)
      mayBeTakenIn = hasTakenIn(result)
      return result
    } catch (error) {
      mayBeTakenIn = !wasRefused(error)
      throw mayBeTakenIn ? new OutcomeUnknown(error) : error
    } finally {
      deadline.ended(mayBeTakenIn)
    }
  }

  const open = async (id: string, context: RequestContext): Promise<Readable> => {
    const { statusCode, body } = await pool.request({
      path: `/files/${encodeURIComponent(id)}`,
      method: 'GET',
      headers: { 'x-request-id': context.requestId, ...introduction(context) },
      signal: context.signal,
    })
    if (statusCode === 200) return body
    await body.dump()
    if (statusCode === 404) throw new NotFound()
    throw new EngineUnavailable(name, new Error(`it answered ${statusCode} for a file`))
  }

  return {
    async fetch({ query, operationName, variables, context, traceparent }) {
      const { signal } = context
      const body = JSON.stringify({ query, variables, operationName })
      const send = query.startsWith('mutation') ? change : look
      // who waits here for a connection has not asked yet: what is signed is the time that is left when it goes
      return slots
        .hold(() => send(body, context, traceparent), signal)
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

/** What every GraphQL server can answer. */
const anything = JSON.stringify({ query: '{ __typename }' })

/** Whether nothing was begun for a request: it never left, or the answer says so. */
const wasRefused = (error: unknown): boolean =>
  error instanceof EngineUnavailable ||
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error))

/** A kept connection that the subgraph closed as we wrote (a restart, an idle time-out). */
const isClosedConnection = (error: unknown): boolean => codeOf(error) === 'UND_ERR_SOCKET'

/** What a proxy answers when the process that it has chosen has gone: RFC 9110, sections 15.6.3 to 15.6.5. */
const byBalancers = [502, 503, 504]

/** The answer is that of something between, such as a balancer. Whether the subgraph has got the request only 503 says: it has not. */
class NotReached extends Error {}

const wasNotReached = (error: unknown): boolean =>
  error instanceof NotReached || (error instanceof Error && error.cause instanceof NotReached)

/**
 * Whether one of the mutations of an operation may have been done. Nothing was where each is null because it was refused itself; where only
 * something within its answer failed, it was done.
 */
function hasTakenIn({ data, errors = [] }: ExecutionResult): boolean {
  if (errors.some(({ extensions }) => extensions?.code === 'OUTCOME_UNKNOWN')) return true
  const wasRefused = (name: string): boolean => errors.some(({ path }) => path?.length === 1 && path[0] === name)
  return data != null && Object.entries(data).some(([name, answer]) => answer !== null || !wasRefused(name))
}

/** Whether an answer with another status than 200 comes from the subgraph's own GraphQL server, and not from something before it. */
function isMeant({ data, errors = [] }: ExecutionResult): boolean {
  return data !== undefined || errors.every(({ extensions }) => extensions?.code !== undefined)
}
