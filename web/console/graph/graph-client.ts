import { keys } from '@civigraph/client/graphcache'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'

/** GraphQL at the console's own address, subscriptions as server-sent events. @param send - signs requests in */
export function graphClient(send: typeof fetch): Client {
  return new Client({
    url: graphUrl(),
    fetch: send,
    fetchSubscriptions: true,
    preferGetMethod: false,
    // what is seen of a platform is of now; the cache joins what several views show
    requestPolicy: 'cache-and-network',
    exchanges: [cacheExchange({ keys }), fetchExchange],
  })
}

export const graphUrl = (): string => new URL('/graphql', location.origin).href
