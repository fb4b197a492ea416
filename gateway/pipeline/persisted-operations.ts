import { createHash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { z } from 'zod'
import { type Clock, systemClock } from '../../foundation/clock.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { networkOf } from '../../foundation/network-address.ts'
import { maxCachedText, textCache } from '../operation/text-cache.ts'
import type { OperationManifest } from './operation-manifest.ts'

/** Stores the texts of automatic persisted queries for all replicas of the gateway. */
export interface PersistedQueryStore {
  /** Returns undefined if missing or expired */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<unknown>
}

/** Registered operations. */
export interface RegisteredOperations {
  /** the current manifest; called per request, since it may be replaced */
  readonly manifest: () => OperationManifest
  /** whether only registered operations are executed */
  readonly only: boolean
}

/** How a request identifies its operation: by text, by manifest id, or by hash. */
export interface NamedOperation {
  readonly query: string | undefined
  /** @see https://github.com/graphql/graphql-over-http/blob/main/spec/Appendix%20A%20--%20Persisted%20Documents.md */
  readonly documentId: unknown
  /** `extensions.persistedQuery` of Apollo clients */
  readonly persistedQuery: unknown
}

export interface PersistedOperations {
  /**
   * Returns the text of an operation: sent, or found by id or hash. @returns undefined if neither is sent
   * @throws {GraphQLError} PERSISTED_QUERY_NOT_FOUND (the client then sends the text), PERSISTED_QUERY_NOT_IN_LIST or QUERY_NOT_IN_SAFELIST for an
   * unregistered operation, or BAD_REQUEST for a hash that does not match
   */
  textOf(operation: NamedOperation): Promise<string | undefined>
  /** Returns the text if it is known without the store: sent, or registered. */
  registered(operation: NamedOperation): string | undefined
  /**
   * Stores a text sent with its hash, after the operation was accepted. Beyond the characters of an hour it is not stored, and the client sends it
   * again. @param address - of the client
   */
  store(text: string, persistedQuery: unknown, address: string | undefined): Promise<void>
}

const lifetimeMs = 24 * 3600 * 1000
/** Maximum of characters that a process stores in an hour, since they fill a store that others need. */
const maxCharacters = { ofAddress: 512 * 1024, ofAll: 2 * 1024 * 1024 }
const hourMs = 3600 * 1000
const Extension = z.object({ version: z.literal(1), sha256Hash: z.string().regex(/^[0-9a-f]{64}$/) })

export function persistedOperations(
  store: PersistedQueryStore,
  log: Log,
  registered?: RegisteredOperations,
  clock: Clock = systemClock,
): PersistedOperations {
  const recent = textCache<string>(1000)
  const budget = storageBudget(clock)
  const only = registered?.only === true

  /** @returns undefined for a text without a hash, or an unregistered hash without a text */
  const textSent = ({ query, documentId, persistedQuery }: NamedOperation): string | undefined => {
    if (isPresent(documentId)) {
      if (typeof documentId !== 'string') throw refusal('BAD_REQUEST', 'documentId must be a string', 400)
      if (query !== undefined) throw refusal('BAD_REQUEST', 'send a query or a documentId, not both', 400)
      const text = registered?.manifest().find(documentId)
      if (text === undefined) throw notInList()
      return text
    }
    if (isPresent(persistedQuery)) {
      const hash = hashOf(persistedQuery)
      if (query === undefined) {
        const text = registered?.manifest().find(hash)
        if (text === undefined && only) throw notInList()
        return text
      }
      if (createHash('sha256').update(query).digest('hex') !== hash) throw refusal('BAD_REQUEST', 'provided sha does not match query', 400)
    }
    if (only && query !== undefined && !registered.manifest().has(query))
      throw refusal('QUERY_NOT_IN_SAFELIST', 'Only operations of the manifest are allowed', 400)
    return query
  }

  return {
    registered: textSent,
    async textOf(operation) {
      const text = textSent(operation)
      if (text !== undefined || !isPresent(operation.persistedQuery)) return text
      const hash = hashOf(operation.persistedQuery)
      const before = recent.get(hash)
      if (before !== undefined) return before
      const stored = await store.get(`apq:${hash}`).catch((error: unknown) => {
        log.warn({ cause: messageOf(error) }, 'cannot read persisted queries')
        return undefined
      })
      if (stored === undefined) throw refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', 200)
      recent.set(hash, stored)
      return stored
    },
    async store(text, persistedQuery, address) {
      if (only || !isPresent(persistedQuery) || text.length > maxCachedText) return
      const hash = hashOf(persistedQuery)
      if (recent.get(hash) !== undefined) return
      recent.set(hash, text)
      if (!budget.take(networkOf(address ?? ''), text.length)) return
      await store.set(`apq:${hash}`, text, lifetimeMs).catch((error: unknown) => {
        log.warn({ cause: messageOf(error) }, 'cannot store a persisted query')
      })
    },
  }
}

/** Limits the characters that are stored in each hour. */
function storageBudget(clock: Clock): { take(owner: string, characters: number): boolean } {
  const taken = new Map<string, number>()
  let all = 0
  let hour = 0
  return {
    take(owner, characters) {
      const now = Math.floor(clock.now() / hourMs)
      if (now !== hour) {
        taken.clear()
        all = 0
        hour = now
      }
      const own = (taken.get(owner) ?? 0) + characters
      if (own > maxCharacters.ofAddress || all + characters > maxCharacters.ofAll) return false
      taken.set(owner, own)
      all += characters
      return true
    },
  }
}

function hashOf(persistedQuery: unknown): string {
  const parsed = Extension.safeParse(persistedQuery)
  if (!parsed.success) throw refusal('BAD_REQUEST', 'persistedQuery must be {"version":1,"sha256Hash":"<64 hexadecimal digits>"}', 400)
  return parsed.data.sha256Hash
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

const notInList = (): GraphQLError => refusal('PERSISTED_QUERY_NOT_IN_LIST', 'The operation is not in the manifest', 400)

function refusal(code: string, message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } })
}
