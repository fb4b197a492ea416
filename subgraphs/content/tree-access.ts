import type { TreeStore, TreeView } from '../engines/tree-store/tree-store.ts'

/** A version of a tree, and where it is read. */
export interface Reading {
  readonly view: TreeView
  readonly source: 'store' | 'snapshot'
}

/** What readers ask: the store, or what stands in for it. */
export interface TreeAccess {
  /** undefined for a tenant without a tree */
  latest(tenant: string, signal: AbortSignal): Promise<Reading | undefined>
  /** undefined for a version that is not kept any more */
  at(tenant: string, version: number, signal: AbortSignal): Promise<Reading | undefined>
}

export function storeAccess(store: TreeStore): TreeAccess {
  const reading = (view: TreeView | undefined): Reading | undefined => view && { view, source: 'store' }
  return {
    latest: async (tenant, signal) => reading(await store.latest(tenant, signal)),
    at: async (tenant, version, signal) => reading(await store.view(tenant, version, signal)),
  }
}
