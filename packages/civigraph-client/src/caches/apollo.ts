import type { FieldPolicy, Reference, TypePolicies } from '@apollo/client'
import { embeddedTypes, lists } from './generated/schema.ts'

export { possibleTypes } from './possible-types.ts'

/** A page or several joined pages of a list, as the cache stores them: what the operation selected of it. */
interface Pages {
  readonly nodes?: readonly unknown[]
  readonly edges?: readonly { readonly node?: unknown }[]
  readonly pageInfo?: Readonly<Record<string, unknown>>
}

/**
 * Joins the pages of a list, whether an operation selects `nodes` or `edges`: `fetchMore` with `after` appends, with `before` prepends, and
 * anything else replaces them. An item that is listed already, because the list has changed, is not repeated.
 */
function pages(keyArgs: readonly string[]): FieldPolicy<Pages | null> {
  return {
    keyArgs: keyArgs.length === 0 ? false : [...keyArgs],
    read(existing, { canRead, readField }) {
      // Apollo Client omits evicted nodes, but no edges. The same object stays cached: a copy makes each page of a long list slower
      if (existing?.edges === undefined) return existing
      const edges = existing.edges.filter((edge) => canRead(readField('node', edge as unknown as Reference)))
      return edges.length === existing.edges.length ? existing : { ...existing, edges }
    },
    merge(existing, page, { args, readField }) {
      const isForward = args?.after != null
      // null where the list was refused
      if (existing == null || page == null || (!isForward && args?.before == null)) return page
      const keyOf = (item: unknown): unknown => (item as Partial<Reference> | undefined)?.__ref
      const nodeOf = (edge: unknown): unknown => keyOf(readField('node', edge as Reference))
      const joined = <Item>(
        before: readonly Item[] = [],
        incoming: readonly Item[] = [],
        identity: (item: Item) => unknown,
      ): readonly Item[] => {
        const known = new Set(before.map(identity))
        const others = incoming.filter((item) => identity(item) === undefined || !known.has(identity(item)))
        return isForward ? [...before, ...others] : [...others, ...before]
      }
      const { startCursor, hasPreviousPage, endCursor, hasNextPage } = existing.pageInfo ?? {}
      const otherEnd = isForward ? { startCursor, hasPreviousPage } : { endCursor, hasNextPage }
      const known = Object.entries(otherEnd).filter(([, value]) => value !== undefined)
      return {
        ...existing,
        ...page,
        ...(page.nodes && { nodes: joined(existing.nodes, page.nodes, keyOf) }),
        ...(page.edges && { edges: joined(existing.edges, page.edges, nodeOf) }),
        ...(page.pageInfo && { pageInfo: { ...page.pageInfo, ...Object.fromEntries(known) } }),
      }
    },
  }
}

/** Types with a key of their own. */
const keyed: TypePolicies = {
  Citizen: { keyFields: ({ code }) => (code === undefined ? false : ['code']) },
  // without its tenant in the selection, a node is embedded in its parent
  ContentNode: { keyFields: ({ tenantId, id }) => (tenantId === undefined || id === undefined ? false : ['tenantId', 'id']) },
}

const withLists = Object.entries(lists).map(([type, fields]) => {
  const policies = Object.entries(fields).map(([field, keyArgs]) => [field, pages(keyArgs)] as const)
  return [type, { ...(embeddedTypes.includes(type) && { merge: true }), ...keyed[type], fields: Object.fromEntries(policies) }] as const
})

/**
 * Cache configuration for Apollo Client's InMemoryCache: `new InMemoryCache({ typePolicies, possibleTypes })`. Types with an `id` need no
 * policy; fields of types without one, such as `votes`, are merged from all operations. `fetchMore({ variables: { after: endCursor } })` joins
 * the pages of a list.
 */
export const typePolicies: TypePolicies = {
  ...Object.fromEntries(embeddedTypes.map((type) => [type, { merge: true }])),
  ...keyed,
  ...Object.fromEntries(withLists),
}
