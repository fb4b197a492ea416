import { createHash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { z } from 'zod'
import { messageOf } from '../../subgraphs/foundation/fault.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import { maxKeptText, textCache } from './text-cache.ts'

/** Where the texts of automatic persisted queries are kept for all replicas of the gateway. */
export interface PersistedQueryStore {
  /** undefined: not there, or over */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<unknown>
}

/** Automatic persisted queries, as Apollo's clients send them. */
export interface PersistedQueries {
  /**
   * The text of an operation: the one sent, or the one that its hash stands for.
   * @throws {GraphQLError} PERSISTED_QUERY_NOT_FOUND (the client sends the text next), or BAD_REQUEST for a hash of something else
   */
  textOf(query: string | undefined, extension: unknown): Promise<string | undefined>
  /** Keeps a text that was sent with its hash, once it is known to be an operation that we would execute. */
  keep(text: string, extension: unknown): Promise<void>
}

const lifetimeMs = 24 * 3600 * 1000
const Extension = z.object({ version: z.literal(1), sha256Hash: z.string().regex(/^[0-9a-f]{64}$/) })

export function persistedQueries(store: PersistedQueryStore, log: Log): PersistedQueries {
  const recent = textCache<string>(1000)
  const hashOf = (extension: unknown): string => {
    const parsed = Extension.safeParse(extension)
    if (!parsed.success) throw refusal('BAD_REQUEST', 'persistedQuery must be {"version":1,"sha256Hash":"<64 hexadecimal digits>"}', 400)
    return parsed.data.sha256Hash
  }
  return {
    async textOf(query, extension) {
      if (extension === undefined || extension === null) return query
      const hash = hashOf(extension)
      if (query !== undefined) {
        if (createHash('sha256').update(query).digest('hex') !== hash)
          throw refusal('BAD_REQUEST', 'provided sha does not match query', 400)
        return query
      }
      const known = recent.get(hash)
      if (known !== undefined) return known
      const text = await store.get(`apq:${hash}`).catch((error: unknown) => {
        log.warn({ cause: messageOf(error) }, 'persisted queries cannot be read')
        return undefined
      })
      if (text === undefined) throw refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', 200)
      recent.set(hash, text)
      return text
    },
    async keep(text, extension) {
      if (extension === undefined || extension === null || text.length > maxKeptText) return
      const hash = hashOf(extension)
      if (recent.get(hash) !== undefined) return
      recent.set(hash, text)
      await store.set(`apq:${hash}`, text, lifetimeMs).catch((error: unknown) => {
        log.warn({ cause: messageOf(error) }, 'a persisted query cannot be kept')
      })
    },
  }
}

function refusal(code: string, message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } })
}
