import { keys } from '@civigraph/client/graphcache'
import type { Client } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { graphClient } from './graph-client.ts'

/** A client that keeps what the graph has answered by type and id, so that all views of a page show the same. @param send - signs requests in */
export const cachedGraphClient = (send: typeof fetch): Client => graphClient(send, [cacheExchange({ keys })])
