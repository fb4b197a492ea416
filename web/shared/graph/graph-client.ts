import { OutcomeUnknownError } from '@civigraph/client'
import { Client, type Exchange, fetchExchange } from '@urql/core'

export const graphUrl = (): string => new URL('/graphql', location.origin).href

/**
 * A client for GraphQL at the page's own address, with subscriptions as server-sent events.
 * @param send - `fetch` that adds credentials
 * @param exchanges - before the fetch exchange
 */
export function graphClient(send: typeof fetch = fetch, exchanges: readonly Exchange[] = []): Client {
  return new Client({
    url: graphUrl(),
    fetch: send,
    fetchSubscriptions: true,
    preferGetMethod: false,
    // views always request current data; a cache keeps them consistent
    requestPolicy: 'cache-and-network',
    exchanges: [...exchanges, fetchExchange],
  })
}

/** Returns a value that must be present. @throws {OutcomeUnknownError} when it is missing */
export function present<Answer>(answer: Answer | null | undefined): Answer {
  if (answer == null) throw new OutcomeUnknownError('The response contains no result: check whether the change was saved before you retry')
  return answer
}
