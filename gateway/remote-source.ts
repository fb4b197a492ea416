import { type ExecutionResult, GraphQLError } from 'graphql'
import { createClient, type Client as SubscriptionClient } from 'graphql-ws'
import { Pool } from 'undici'
import { WebSocket } from 'ws'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../subgraphs/foundation/fault.ts'
import type { RequestContext } from '../subgraphs/foundation/request-context.ts'
import { type PrincipalTokens, principalHeader } from './principal-token.ts'
import { responseOf, type SubgraphSource } from './subgraph-source.ts'

export interface RemoteSourceOptions {
  /** name of the subgraph, which is also whom the principal tokens are for */
  readonly name: string
  /** where its GraphQL answers over HTTP; subscriptions go to the same path over WebSocket */
  readonly url: string
  readonly tokens: PrincipalTokens
  readonly connections?: number
  readonly connectTimeoutMs?: number
  /** longest wait for an answer, besides the deadline of the request itself */
  readonly timeoutMs?: number
  readonly largestAnswerBytes?: number
}

/** A subgraph in another process. Nothing that it or the network says about addresses reaches a caller. */
export function remoteSource(options: RemoteSourceOptions): SubgraphSource {
  const {
    name,
    url,
    tokens,
    connections = 64,
    connectTimeoutMs = 2000,
    timeoutMs = 30_000,
    largestAnswerBytes = 64 * 1024 * 1024,
  } = options
  const address = new URL(url)
  const pool = new Pool(address.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: largestAnswerBytes,
  })
  const subscriptions = subscriptionClient(address)

  const ask = async (body: string, context: RequestContext): Promise<ExecutionResult> => {
    const answer = await pool.request({
      path: `${address.pathname}${address.search}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-request-id': context.requestId,
        [principalHeader]: tokens.sign(context, name),
      },
      body,
      signal: context.signal,
    })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw new EngineUnavailable(name, new Error(`it answered ${answer.statusCode}`))
    }
    const result = await answer.body.json()
    if (!isResult(result)) throw new EngineUnavailable(name, new Error('its answer is no GraphQL result'))
    return result
  }

  return {
    async process({ request, context }) {
      // The executor passes our RequestContext through; the data source interface of @apollo/gateway types it as a record.
      const { signal } = context as RequestContext
      const { query, variables, operationName } = request
      const body = JSON.stringify({ query, variables, operationName })
      const first = await ask(body, context as RequestContext)
        .catch((error: unknown) => {
          // A kept connection that the subgraph closed as we wrote (a restart, an idle time-out). Only what changes nothing is sent again.
          if (codeOf(error) !== 'UND_ERR_SOCKET' || signal.aborted || query?.startsWith('mutation')) throw error
          return ask(body, context as RequestContext)
        })
        .catch((error: unknown): ExecutionResult => ({ errors: [failure(name, error, signal)] }))
      return responseOf(first)
    },
    async stream({ query, operationName, variables, context }) {
      const { signal } = context
      const events = subscriptions.iterate({
        query,
        variables: { ...variables },
        ...(operationName === undefined ? {} : { operationName }),
        extensions: { principal: tokens.sign(context, name) },
      })
      signal.addEventListener('abort', () => void events.return?.(), { once: true })
      return mapped(name, events, signal)
    },
    async stop() {
      await subscriptions.dispose()
      await pool.close().catch(() => undefined)
    },
  }
}

function subscriptionClient(address: URL): SubscriptionClient {
  const url = new URL(address)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return createClient({
    url: url.href,
    webSocketImpl: WebSocket,
    lazy: true,
    retryAttempts: 0,
    keepAlive: 10_000,
    connectionAckWaitTimeout: 5000,
  })
}

/** The stream with every way in which it can fail as an error that may be shown. */
async function* mapped(name: string, events: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<ExecutionResult> {
  try {
    for await (const event of events) if (isResult(event)) yield event
  } catch (error) {
    // The subgraph refused the operation: graphql-ws throws the list of its errors.
    if (Array.isArray(error))
      yield { errors: error.map((refusal) => new GraphQLError(String(refusal?.message), { extensions: refusal?.extensions })) }
    else throw failure(name, error, signal)
  }
}

/** @returns an error with a code; where it came from is only in its cause, for the log */
function failure(name: string, error: unknown, signal: AbortSignal): GraphQLError {
  const reason: unknown = signal.aborted ? signal.reason : error
  const fault =
    reason instanceof Fault
      ? reason
      : ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(codeOf(error))
        ? new DeadlineExceeded(undefined, error)
        : new EngineUnavailable(name, error)
  return new GraphQLError(fault.message, { originalError: fault })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value)
}
