import type { RolledDomain } from '../tables.ts'

/** Domains and their sub-domains, by id and in order. */
export class TaxonomyTree {
  readonly roots: readonly RolledDomain[]
  readonly #byId: ReadonlyMap<string, RolledDomain>
  readonly #children: ReadonlyMap<string, readonly RolledDomain[]>

  constructor(domains: readonly RolledDomain[]) {
    this.roots = domains.filter(({ parentId }) => parentId === null)
    this.#byId = new Map(domains.map((domain) => [domain.id, domain]))
    this.#children = Map.groupBy(
      domains.filter(({ parentId }) => parentId !== null),
      ({ parentId }) => parentId ?? '',
    )
  }

  find(id: string): RolledDomain | undefined {
    return this.#byId.get(id)
  }

  childrenOf(id: string): readonly RolledDomain[] {
    return this.#children.get(id) ?? []
  }

  get all(): Iterable<RolledDomain> {
    return this.#byId.values()
  }
}
