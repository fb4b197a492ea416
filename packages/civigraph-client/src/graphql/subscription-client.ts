import { type Client, type ConnectionInitMessage, createClient } from 'graphql-ws'
import { UnauthenticatedError } from '../errors/civigraph-error.ts'
import { errorOfClose } from '../errors/refusals.ts'
import { resumable } from './resumable.ts'

export interface SubscriptionClientOptions {
  /** URL of the gateway: ws://… or wss://… with /graphql */
  readonly url: string
  /** credentials, such as `{authorization}` or `{'X-Service-API-Key'}`; a function is called for each connection */
  readonly connectionParams?:
    | ConnectionInitMessage['payload']
    | (() => ConnectionInitMessage['payload'] | Promise<ConnectionInitMessage['payload']>)
  /** WebSocket implementation (default: the global one) */
  readonly webSocketImpl?: unknown
  /** maximum delay before a reconnect in ms (default: 30,000); starts at 100 ms, with random jitter */
  readonly maxWaitMs?: number
}

const firstWaitMs = 100

/**
 * Returns a client whose subscriptions reconnect until they are closed and then receive the events they missed. Permanent refusals
 * (credentials, an invalid operation) are not retried; a closed connection is reported as an error class. A session creates its own with `session.subscriptions`.
 */
export const createSubscriptionClient = (options: SubscriptionClientOptions): Client => reconnectingClient(options)

/** @param recovers - whether a subscription whose connection was closed permanently may be opened again */
export function reconnectingClient(
  { maxWaitMs = 30_000, ...options }: SubscriptionClientOptions,
  recovers?: (close: { readonly code?: unknown }) => Promise<boolean>,
): Client {
  const wait = (retries: number): Promise<void> => {
    const atMost = Math.min(maxWaitMs, firstWaitMs * 2 ** retries)
    return new Promise((resolve) => setTimeout(resolve, atMost * (0.5 + Math.random() / 2)))
  }
  // some WebSocket implementations, Node.js's included, report a lost connection as an error event without a close event
  const shouldRetry = (thrown: unknown): boolean => !(thrown instanceof UnauthenticatedError)
  const client = createClient({ ...options, retryAttempts: Number.POSITIVE_INFINITY, retryWait: wait, shouldRetry })
  // Apollo, urql and Relay pass on an Error as it is, and make a text of a close event
  return resumable(client, recovers, (thrown) => (Array.isArray(thrown) ? thrown : errorOfClose(thrown)))
}
