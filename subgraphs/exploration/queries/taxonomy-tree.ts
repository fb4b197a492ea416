import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'
import type { RolledDomain } from '../tables.ts'

/** A version of the taxonomy: domains and their sub-domains, by id and in order, and the successors of retired ones. */
export class TaxonomyTree {
  /** number of the published version; 0 before the first */
  readonly number: number
  readonly roots: readonly RolledDomain[]
  readonly #byId: ReadonlyMap<string, RolledDomain>
  readonly #children: ReadonlyMap<string, readonly RolledDomain[]>
  readonly #successors: Readonly<Record<string, string | null>>

  constructor(domains: readonly RolledDomain[] = [], number = 0, successors: Readonly<Record<string, string | null>> = {}) {
    this.number = number
    this.roots = domains.filter(({ parentId }) => parentId === null)
    this.#byId = new Map(domains.map((domain) => [domain.id, domain]))
    this.#children = Map.groupBy(
      domains.filter(({ parentId }) => parentId !== null),
      ({ parentId }) => parentId ?? '',
    )
    this.#successors = successors
  }

  find(id: string): RolledDomain | undefined {
    return this.#byId.get(id)
  }

  /** Returns a domain, or the one that replaces it. */
  current(id: string): RolledDomain | undefined {
    return this.find(id) ?? this.find(this.#successors[id] ?? '')
  }

  /** Returns the ids under which expressions of a domain may be stored: the current one, and those that it replaces. */
  storedIds(id: string): readonly string[] {
    const current = this.current(id)?.id ?? id
    return [current, ...Object.entries(this.#successors).flatMap(([former, successor]) => (successor === current ? [former] : []))]
  }

  /** Returns the ids under which expressions of a domain and of its sub-domains may be stored; those of a moved sub-domain may have other domains. */
  storedIdsWithin(id: string): readonly string[] {
    const current = this.current(id)?.id ?? id
    return [current, ...this.childrenOf(current).map((child) => child.id)].flatMap((each) => this.storedIds(each))
  }

  /** Returns whether the taxonomy has or had this domain. */
  knows(id: string): boolean {
    return this.#byId.has(id) || Object.hasOwn(this.#successors, id)
  }

  /** Returns a key with the domains by which its expressions count now, whether they were stored before or after a change of the taxonomy. */
  currentKey<Key extends Pick<RollUpKey, 'domain' | 'subDomain'>>(key: Key): Key {
    const subDomain = this.current(key.subDomain ?? '')
    const counted = subDomain ?? this.current(key.domain ?? '')
    // a domain that was retired without a successor, or that the taxonomy never had, counts under its own id
    if (counted === undefined) return key
    if (counted.parentId !== null) return { ...key, domain: counted.parentId, subDomain: counted.id }
    return { ...key, domain: counted.id, subDomain: subDomain === undefined ? key.subDomain : null }
  }

  childrenOf(id: string): readonly RolledDomain[] {
    return this.#children.get(id) ?? []
  }

  get all(): Iterable<RolledDomain> {
    return this.#byId.values()
  }
}
