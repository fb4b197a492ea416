import type { KeyingConfig } from '@urql/exchange-graphcache'

export { schema } from './generated/schema.ts'

type Keyed = { readonly id?: unknown; readonly code?: unknown; readonly tenantId?: unknown }

const ofOther = ({ id }: Keyed): string | null => (id == null ? null : String(id))

const ofType: KeyingConfig = {
  Citizen: ({ code }: Keyed) => (code == null ? null : String(code)),
  ContentNode: ({ tenantId, id }: Keyed) => (tenantId == null || id == null ? null : JSON.stringify([tenantId, id])),
}

/**
 * How urql's graphcache keeps the graph: `cacheExchange({ keys, schema })`. What has an `id` is kept by it; what has none (pages, figures, findings)
 * belongs to what it was found in, without a warning for each such type.
 */
export const keys: KeyingConfig = new Proxy(ofType, { get: (known, type) => known[String(type)] ?? ofOther })
