import type { Successors, Taxonomy, TaxonomyDomain } from './analytics-store.ts'

/** Resolves direct successors to current domains; null for a chain that ends in a domain without a successor, or in a cycle. */
export function resolvedSuccessors(direct: Readonly<Record<string, string | null>>, current: ReadonlySet<string>): Successors {
  const resolve = (id: string): string | null => {
    const seen = new Set<string>()
    for (let at: string | null = id; at !== null && !seen.has(at); at = direct[at] ?? null) {
      if (current.has(at)) return at
      seen.add(at)
    }
    return null
  }
  return new Map(
    Object.keys(direct)
      .filter((id) => !current.has(id))
      .map((id) => [id, resolve(id)]),
  )
}

/** The domains of a taxonomy by id, with those that were retired. */
export class DomainTree {
  readonly domains: ReadonlyMap<string, TaxonomyDomain>
  readonly #successors: Successors
  readonly #former: ReadonlyMap<string, readonly string[]>

  constructor({ domains, successors }: Pick<Taxonomy, 'domains' | 'successors'>) {
    this.domains = new Map(domains.map((each) => [each.id, each]))
    this.#successors = successors
    const former = new Map<string, string[]>()
    for (const [id, successor] of successors) if (successor !== null) former.set(successor, [...(former.get(successor) ?? []), id])
    this.#former = former
  }

  /** Returns whether the taxonomy has or had this domain. */
  knows(id: string): boolean {
    return this.domains.has(id) || this.#successors.has(id)
  }

  /** ids of current and retired domains */
  get ids(): readonly string[] {
    return [...this.domains.keys(), ...this.#successors.keys()]
  }

  /** Returns the current domain: the domain itself or its successor; null without one, undefined for an unknown id. */
  currentOf(id: string): string | null | undefined {
    return this.domains.has(id) ? id : this.#successors.get(id)
  }

  /** Returns the retired domains that this one replaces. */
  formerOf(id: string): readonly string[] {
    return this.#former.get(id) ?? []
  }

  /** Returns the domain of a sub-domain; the id itself for a domain. */
  domainOf(id: string): string {
    return this.domains.get(id)?.parentId ?? id
  }

  /**
   * Returns the ids under which expressions of these domains and of their sub-domains are stored, and the ids of sub-domains that belong to others
   * now: expressions of a moved sub-domain keep their ids until they are classified again.
   */
  storedWithin(ids: readonly string[]): { readonly ids: readonly string[]; readonly exceptSubDomains: readonly string[] } {
    const selected = new Set(ids.map((id) => this.currentOf(id) ?? id))
    const isWithin = (id: string): boolean => selected.has(id) || selected.has(this.domainOf(id))
    const [within, others] = [true, false].map((wanted) => [...this.domains.values()].filter(({ id }) => isWithin(id) === wanted))
    return {
      ids: this.storedIds([...selected, ...(within ?? []).map(({ id }) => id)]),
      exceptSubDomains: (others ?? []).flatMap(({ id, parentId }) => [...(parentId == null ? [] : [id]), ...this.formerOf(id)]),
    }
  }

  /** Returns the ids under which expressions of these domains are stored: the current domain, and those that it replaces. */
  storedIds(ids: readonly string[]): readonly string[] {
    return [
      ...new Set(
        ids.flatMap((id) => {
          const current = this.currentOf(id) ?? id
          return [current, ...this.formerOf(current)]
        }),
      ),
    ]
  }
}
