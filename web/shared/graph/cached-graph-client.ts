import { keys } from '@civigraph/client/graphcache'
import type { Client } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { graphClient } from './graph-client.ts'

/**
 * A client with a cache by type and id, so that all views of a page show the same data.
 * @param send - `fetch` that adds credentials
 */
export const cachedGraphClient = (send: typeof fetch): Client => graphClient(send, [cacheExchange({ keys })])
