import { type Client, type ConnectionInitMessage, createClient } from 'graphql-ws'
import { resumable } from './resumable.ts'

export interface SubscriptionClientOptions {
  /** of the gateway: ws://… or wss://… with /graphql */
  readonly url: string
  /** credentials, such as `{authorization}` or `{'X-Service-API-Key'}`; a function is asked again for each connection */
  readonly connectionParams?:
    | ConnectionInitMessage['payload']
    | (() => ConnectionInitMessage['payload'] | Promise<ConnectionInitMessage['payload']>)
  /** (default: the platform's own) */
  readonly webSocketImpl?: unknown
  /** longest wait before it connects again, ms (default: 30,000); the first is a tenth of a second, and each is shortened by chance */
  readonly maxWaitMs?: number
}

const firstWaitMs = 100

/**
 * Subscriptions that go on for as long as they are wanted: a lost connection is made again, however often, and what happened meanwhile comes
 * then. What the gateway refuses for good (credentials, an operation) is not tried again.
 */
export function createSubscriptionClient({ maxWaitMs = 30_000, ...options }: SubscriptionClientOptions): Client {
  const wait = (retries: number): Promise<void> => {
    const atMost = Math.min(maxWaitMs, firstWaitMs * 2 ** retries)
    return new Promise((resolve) => setTimeout(resolve, atMost * (0.5 + Math.random() / 2)))
  }
  // a connection that breaks is an error event, and no close event, to some implementations: Node's own is one
  return resumable(createClient({ ...options, retryAttempts: Number.POSITIVE_INFINITY, retryWait: wait, shouldRetry: () => true }))
}
