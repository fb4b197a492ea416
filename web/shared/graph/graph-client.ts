import { Client, type Exchange, fetchExchange } from '@urql/core'

export const graphUrl = (): string => new URL('/graphql', location.origin).href

/**
 * GraphQL at the page's own address, subscriptions as server-sent events.
 * @param send - signs requests in   @param exchanges - before the one that fetches
 */
export function graphClient(send: typeof fetch = fetch, exchanges: readonly Exchange[] = []): Client {
  return new Client({
    url: graphUrl(),
    fetch: send,
    fetchSubscriptions: true,
    preferGetMethod: false,
    // what is seen of a platform is of now; a cache joins what several views show
    requestPolicy: 'cache-and-network',
    exchanges: [...exchanges, fetchExchange],
  })
}
