import type { KeyingConfig } from '@urql/exchange-graphcache'

export { schema } from './generated/schema.ts'

type Keyed = { readonly id?: unknown; readonly code?: unknown; readonly tenantId?: unknown }

const ofOther = ({ id }: Keyed): string | null => (id == null ? null : String(id))

const ofType: KeyingConfig = {
  Citizen: ({ code }: Keyed) => (code == null ? null : String(code)),
  ContentNode: ({ tenantId, id }: Keyed) => (tenantId == null || id == null ? null : JSON.stringify([tenantId, id])),
}

/**
 * Cache configuration for urql's graphcache: `cacheExchange({ keys, schema })`. Types without an `id` (pages, figures, findings) are
 * embedded in their parent without a warning.
 */
export const keys: KeyingConfig = new Proxy(ofType, { get: (byType, type) => byType[String(type)] ?? ofOther })
