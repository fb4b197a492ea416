import type { KeyingConfig, ResolverConfig } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { lists } from './generated/schema.ts'

export { schema } from './generated/schema.ts'

type KeyedEntity = { readonly id?: unknown; readonly code?: unknown; readonly tenantId?: unknown }

const ofOther = ({ id }: KeyedEntity): string | null => (id == null ? null : String(id))

const ofType: KeyingConfig = {
  Citizen: ({ code }: KeyedEntity) => (code == null ? null : String(code)),
  ContentNode: ({ tenantId, id }: KeyedEntity) => (tenantId == null || id == null ? null : JSON.stringify([tenantId, id])),
}

/** Join the pages of every list: a query with `after` returns all pages up to its own, each item once. */
export const resolvers: ResolverConfig = Object.fromEntries(
  Object.entries(lists).map(([type, fields]) => [type, Object.fromEntries(Object.keys(fields).map((field) => [field, relayPagination()]))]),
)

/**
 * Cache configuration for urql's graphcache: `cacheExchange({ keys, schema, resolvers })`. Types without an `id` (pages, figures, findings) are
 * embedded in their parent without a warning.
 */
export const keys: KeyingConfig = new Proxy(ofType, { get: (byType, type) => byType[String(type)] ?? ofOther })
