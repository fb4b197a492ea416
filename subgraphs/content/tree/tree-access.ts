import { LRUCache } from 'lru-cache'
import type { TreeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { SubtreeTop, TreeSize, TreeStore, TreeVersion, TreeView } from '../../../engines/tree-store/tree-store.ts'
import { type Circuit, isUnavailable } from '../../../foundation/concurrency/circuit-breaker.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { inListTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { ContentSource } from '../vocabulary.ts'

/** A version of a tree and its source. */
export interface TreeReading {
  readonly view: TreeView
  readonly source: ContentSource
  /** whether responses must not be cached: the tenant is private */
  readonly isPrivate: boolean
}

/** Reads trees from the store or, while it is unavailable, from its snapshot. */
export class TreeAccess {
  readonly #store: TreeStore
  readonly #snapshots: Pick<TreeSnapshots, 'latest'>
  readonly #circuit: Circuit
  readonly #isPrivate: (tenant: string) => boolean

  constructor(
    store: TreeStore,
    snapshots: Pick<TreeSnapshots, 'latest'>,
    circuit: Circuit,
    isPrivate: (tenant: string) => boolean = () => false,
  ) {
    this.#store = store
    this.#snapshots = snapshots
    this.#circuit = circuit
    this.#isPrivate = isPrivate
  }

  /**
   * Reads the current version.
   * @param work - receives undefined for a tenant without a tree; may run twice, the second time on the snapshot
   * @throws {EngineUnavailable} when the store is unavailable and there is no snapshot of the tenant
   */
  async latest<Result>(tenant: string, work: (reading: TreeReading | undefined) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    try {
      const view = await this.#circuit.run(() => this.#store.latest(tenant, signal), signal)
      return await work(view && this.#reading(view))
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const view = await this.#snapshots.latest(tenant)
      if (view === undefined) throw error
      return work(this.#ofSnapshot(view))
    }
  }

  /** @returns undefined for a version that is no longer stored  @throws {EngineUnavailable} */
  async at(tenant: string, version: number, signal: AbortSignal): Promise<TreeReading | undefined> {
    try {
      const view = await this.#circuit.run(() => this.#store.view(tenant, version, signal), signal)
      return view && this.#reading(view)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const view = await this.#snapshots.latest(tenant)
      if (view?.version.number !== version) throw error
      return this.#ofSnapshot(view)
    }
  }

  #reading(view: TreeView): TreeReading {
    const { tenant } = view.version
    return {
      view: new SteadyView(view, () => this.#snapshots.latest(tenant), this.#circuit),
      source: 'store',
      isPrivate: this.#isPrivate(tenant),
    }
  }

  #ofSnapshot(view: TreeView): TreeReading {
    return { view, source: 'snapshot', isPrivate: this.#isPrivate(view.version.tenant) }
  }
}

/** A version in the store that is read from the snapshot if the store becomes unavailable and the snapshot has the same version. */
class SteadyView implements TreeView {
  readonly version: TreeVersion
  readonly #view: TreeView
  readonly #instead: () => Promise<TreeView | undefined>
  readonly #circuit: Circuit

  constructor(view: TreeView, instead: () => Promise<TreeView | undefined>, circuit: Circuit) {
    this.version = view.version
    this.#view = view
    this.#instead = instead
    this.#circuit = circuit
  }

  slice: TreeView['slice'] = (after, limit, signal) => this.#read((view) => view.slice(after, limit, signal))
  nodes: TreeView['nodes'] = (ids, signal) => this.#read((view) => view.nodes(ids, signal))
  children: TreeView['children'] = (parentId, after, limit, signal) => this.#read((view) => view.children(parentId, after, limit, signal))
  size: TreeView['size'] = (signal, top) => this.#read((view) => view.size(signal, top))
  ancestors: TreeView['ancestors'] = (node, max, signal) => this.#read((view) => view.ancestors(node, max, signal))

  async #read<Result>(work: (view: TreeView) => Promise<Result>): Promise<Result> {
    try {
      if (this.#circuit.isOpen) throw new EngineUnavailable('content store')
      return await work(this.#view)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const view = await this.#instead()
      if (view?.version.number !== this.version.number) throw error
      return work(view)
    }
  }
}

/** maximum of cached sizes; the size of a version never changes */
const maxSizes = 1000

/** Counts the nodes of trees and subtrees, once for each version. */
export class TreeSizes {
  readonly #sizes = new LRUCache<string, TreeSize>({ max: maxSizes })

  /** @param top - counts only this node and its descendants */
  async of(view: TreeView, context: Pick<RequestContext, 'address' | 'signal'>, top?: SubtreeTop): Promise<TreeSize> {
    const { tenant, number } = view.version
    const key = `${tenant} ${number} ${top?.orderKey ?? ''}`
    // another read may have counted it while this one waited
    const counted = async (): Promise<TreeSize> => this.#sizes.get(key) ?? view.size(context.signal, top)
    const size = this.#sizes.get(key) ?? (await inListTurn(context, counted))
    this.#sizes.set(key, size)
    return size
  }
}
