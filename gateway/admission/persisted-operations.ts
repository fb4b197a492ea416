import { createHash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import type { OperationManifest } from './operation-manifest.ts'
import { maxKeptText, textCache } from './text-cache.ts'

/** Where the texts of automatic persisted queries are kept for all replicas of the gateway. */
export interface PersistedQueryStore {
  /** undefined: not there, or over */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<unknown>
}

/** Operations that are known before anybody sends them. */
export interface RegisteredOperations {
  /** the manifest as it is now: asked for each request, so that it may be replaced */
  readonly manifest: () => OperationManifest
  /** whether nothing else is executed */
  readonly only: boolean
}

/** How a request names its operation: by its text, by the id of a manifest, or by the hash of its text. */
export interface NamedOperation {
  readonly query: string | undefined
  /** @see https://github.com/graphql/graphql-over-http/blob/main/spec/Appendix%20A%20--%20Persisted%20Documents.md */
  readonly documentId: unknown
  /** `extensions.persistedQuery`, as Apollo's clients send it */
  readonly persistedQuery: unknown
}

export interface PersistedOperations {
  /**
   * The text of an operation: the one sent, or the one that its id or its hash stands for.
   * @returns undefined where neither is sent
   * @throws {GraphQLError} PERSISTED_QUERY_NOT_FOUND (the client sends the text next), PERSISTED_QUERY_NOT_IN_LIST or QUERY_NOT_IN_SAFELIST
   * for what the manifest does not have, or BAD_REQUEST for a hash of something else
   */
  textOf(operation: NamedOperation): Promise<string | undefined>
  /** The same of what is known without asking the store: texts, and what the manifest has. */
  registered(operation: NamedOperation): string | undefined
  /** Keeps a text that was sent with its hash, once it is known to be an operation that we would execute. */
  keep(text: string, persistedQuery: unknown): Promise<void>
}

const lifetimeMs = 24 * 3600 * 1000
const Extension = z.object({ version: z.literal(1), sha256Hash: z.string().regex(/^[0-9a-f]{64}$/) })

export function persistedOperations(store: PersistedQueryStore, log: Log, registered?: RegisteredOperations): PersistedOperations {
  const recent = textCache<string>(1000)
  const only = registered?.only === true

  /** @returns undefined for a text without a hash, or a hash without a text that nobody has registered */
  const known = ({ query, documentId, persistedQuery }: NamedOperation): string | undefined => {
    if (isGiven(documentId)) {
      if (typeof documentId !== 'string') throw refusal('BAD_REQUEST', 'documentId must be a text', 400)
      if (query !== undefined) throw refusal('BAD_REQUEST', 'send a query or a documentId, not both', 400)
      const text = registered?.manifest().find(documentId)
      if (text === undefined) throw notInList()
      return text
    }
    if (isGiven(persistedQuery)) {
      const hash = hashOf(persistedQuery)
      if (query === undefined) {
        const text = registered?.manifest().find(hash)
        if (text === undefined && only) throw notInList()
        return text
      }
      if (createHash('sha256').update(query).digest('hex') !== hash) throw refusal('BAD_REQUEST', 'provided sha does not match query', 400)
    }
    if (only && query !== undefined && !registered.manifest().has(query))
      throw refusal('QUERY_NOT_IN_SAFELIST', 'Only operations of the manifest are executed here', 400)
    return query
  }

  return {
    registered: known,
    async textOf(operation) {
      const text = known(operation)
      if (text !== undefined || !isGiven(operation.persistedQuery)) return text
      const hash = hashOf(operation.persistedQuery)
      const before = recent.get(hash)
      if (before !== undefined) return before
      const kept = await store.get(`apq:${hash}`).catch((error: unknown) => {
        log.warn({ cause: messageOf(error) }, 'persisted queries cannot be read')
        return undefined
      })
      if (kept === undefined) throw refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', 200)
      recent.set(hash, kept)
      return kept
    },
    async keep(text, persistedQuery) {
      if (only || !isGiven(persistedQuery) || text.length > maxKeptText) return
      const hash = hashOf(persistedQuery)
      if (recent.get(hash) !== undefined) return
      recent.set(hash, text)
      await store.set(`apq:${hash}`, text, lifetimeMs).catch((error: unknown) => {
        log.warn({ cause: messageOf(error) }, 'a persisted query cannot be kept')
      })
    },
  }
}

function hashOf(persistedQuery: unknown): string {
  const parsed = Extension.safeParse(persistedQuery)
  if (!parsed.success) throw refusal('BAD_REQUEST', 'persistedQuery must be {"version":1,"sha256Hash":"<64 hexadecimal digits>"}', 400)
  return parsed.data.sha256Hash
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const notInList = (): GraphQLError => refusal('PERSISTED_QUERY_NOT_IN_LIST', 'The operation is not in the manifest', 400)

function refusal(code: string, message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } })
}
