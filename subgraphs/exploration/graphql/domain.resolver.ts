import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, Directive, FieldResolver, ID, Info, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { PositionArguments } from '../../../foundation/graphql/event-position.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { inSearchTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { servedFromStream } from '../../../foundation/subgraph/subgraph.ts'
import { type DomainCounts, domainCounts } from '../queries/domain-statistics.ts'
import { ResponsesByVersion } from '../queries/responses-by-version.ts'
import type { RollUps, Snapshot } from '../queries/roll-up-reader.ts'
import type { SearchedFigures } from '../queries/searched-figures.ts'
import { isSearched, type SearchedSelection, selectionOf } from '../queries/selection.ts'
import type { TaxonomyTree } from '../queries/taxonomy-tree.ts'
import { selectsVersionOnly } from '../queries/version-watch.ts'
import type { RolledDomain } from '../tables.ts'
import { searchedText } from './exploration.input.ts'
import { Domain, DomainStatistics, DomainTaxonomy, type LocalisedText, labelIn, labelLanguage } from './exploration.type.ts'
import { changeKindOf, DomainCount, DomainsChanged } from './map.type.ts'

/** The snapshot of domains that one request uses. */
interface DomainSnapshot {
  readonly version: string
  readonly at: Date
  readonly taxonomy: TaxonomyTree
  readonly countsOfDomain: (id: string) => DomainCounts
}

/** A domain with its figures among the expressions that a search found. */
type ShownDomain = RolledDomain & { readonly searched?: DomainSnapshot }

const seenIn = async (snapshot: Snapshot): Promise<DomainSnapshot> => ({
  version: snapshot.version,
  at: snapshot.at,
  taxonomy: snapshot.taxonomy,
  countsOfDomain: await domainCounts(snapshot),
})

/** Domains, and references to them from other components. */
@Resolver(() => Domain)
export class DomainResolver {
  readonly #rollUps: RollUps
  readonly #store: Pick<AnalyticsStore, 'findDomains'>
  readonly #currentVersion: () => string | undefined
  readonly #searched: Pick<SearchedFigures, 'domains'>
  readonly #answers: ResponsesByVersion<DomainSnapshot>

  /** @param options - `currentVersion`: the version of an answer now, if it is known without a query */
  constructor(options: {
    readonly rollUps: RollUps
    readonly store: Pick<AnalyticsStore, 'findDomains'>
    readonly searched: Pick<SearchedFigures, 'domains'>
    readonly currentVersion: () => string | undefined
  }) {
    this.#rollUps = options.rollUps
    this.#store = options.store
    this.#searched = options.searched
    this.#currentVersion = options.currentVersion
    this.#answers = new ResponsesByVersion(options.currentVersion)
  }

  @Query(() => DomainTaxonomy, { description: 'The taxonomy: all domains with their sub-domains and statistics.' })
  async domains(
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('q', () => String, { nullable: true, description: searchedText }) q?: string | null,
  ): Promise<object> {
    const selection = selectionOf({ q: q ?? null })
    if (isSearched(selection)) return this.#searchedTaxonomy(selection, context)
    const version = selectsVersionOnly(info) ? this.#currentVersion() : undefined
    return version === undefined ? this.#taxonomy(context) : { version }
  }

  @Subscription(() => DomainsChanged, {
    description: 'Emits the domains and their statistics when they change, at most once per second.',
    subscribe: servedFromStream,
  })
  async domainsChanged(
    @Root() event: { readonly position: number; readonly kind: string },
    @Ctx() context: RequestContext,
    @Args(() => PositionArguments) _start?: PositionArguments,
    @Arg('q', () => String, { nullable: true, description: searchedText }) q?: string | null,
  ): Promise<object> {
    const selection = selectionOf({ q: q ?? null })
    if (isSearched(selection))
      return { ...event, kind: changeKindOf(event.kind), taxonomy: await this.#searchedTaxonomy(selection, context) }
    // the context is shared by all events of this subscription, so its cache may be older than the event
    this.#loader(context)
      .clear(true)
      .prime(true, await this.#rollUps.readNewest(seenIn))
    return { ...event, kind: changeKindOf(event.kind), taxonomy: await this.#taxonomy(context) }
  }

  async #searchedTaxonomy(selection: SearchedSelection, context: RequestContext): Promise<object> {
    const searched = await inSearchTurn(context, () => this.#searched.domains(selection, context.signal))
    const { version, at, taxonomy } = searched
    return { version, generatedAt: at, domains: taxonomy.roots.map((root): ShownDomain => ({ ...root, searched })) }
  }

  async #taxonomy(context: RequestContext): Promise<object> {
    const { version, at, taxonomy } = await this.#seen(context)
    return { version, taxonomyVersion: taxonomy.number, generatedAt: at, domains: taxonomy.roots }
  }

  @Directive('@cacheControl(maxAge: 0)')
  @Query(() => Domain, {
    nullable: true,
    description: 'Returns one domain or sub-domain, or the one that replaces it if it was retired; null when there is neither.',
  })
  async domain(
    @Arg('id', () => ID, { description: 'Id of the domain or sub-domain.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<object | null> {
    return (await this.#seen(context)).taxonomy.current(id) ?? null
  }

  @FieldResolver()
  labels(@Root() { labels }: RolledDomain): LocalisedText[] {
    return Object.entries(labels).map(([lang, text]) => ({ lang, text }))
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Name of the domain in this language or its primary language (fr for fr-CA), otherwise in English, otherwise in any language.',
  })
  label(@Root() domain: RolledDomain, @Arg('lang', () => String, { description: labelLanguage }) lang: string): string {
    return labelIn(this.labels(domain), lang)
  }

  @FieldResolver()
  depth(@Root() { parentId }: RolledDomain): number {
    return parentId === null ? 0 : 1
  }

  @FieldResolver()
  async childrenCount(@Root() { id }: RolledDomain, @Ctx() context: RequestContext): Promise<number> {
    return (await this.#seen(context)).taxonomy.childrenOf(id).length
  }

  @FieldResolver()
  async parent(@Root() { parentId, searched }: ShownDomain, @Ctx() context: RequestContext): Promise<object | null> {
    const parent = parentId === null ? null : await this.find(parentId, context)
    return parent === null || searched === undefined ? parent : { ...parent, searched }
  }

  @FieldResolver(() => Domain, {
    nullable: true,
    description: 'The domain that replaces this one; null when this domain was not retired or has no successor.',
  })
  async successor(@Root() { id }: RolledDomain, @Ctx() context: RequestContext): Promise<object | null> {
    const { taxonomy } = await this.#seen(context)
    return taxonomy.find(id) === undefined ? (taxonomy.current(id) ?? null) : null
  }

  @FieldResolver()
  async subDomains(@Root() { id, searched }: ShownDomain, @Ctx() context: RequestContext): Promise<object> {
    if (searched === undefined) return (await this.#seen(context)).taxonomy.childrenOf(id)
    return searched.taxonomy.childrenOf(id).map((child): ShownDomain => ({ ...child, searched }))
  }

  @FieldResolver(() => DomainStatistics, { description: 'Statistics of the domain.' })
  async statistics(@Root() { id, searched }: ShownDomain, @Ctx() context: RequestContext): Promise<DomainStatistics> {
    return (searched ?? (await this.#seen(context))).countsOfDomain(id)
  }

  /** Returns a referenced domain, also one that was removed from the taxonomy. Batched per request. */
  async referred(id: string, context: RequestContext): Promise<RolledDomain | null> {
    const current = await this.find(id, context)
    if (current !== null) return current
    return loader<string, RolledDomain | null>(context, 'removed domains', async (ids) => {
      const domains = new Map((await this.#store.findDomains(ids)).map((domain) => [domain.id, domain]))
      return ids.map((each) => domains.get(each) ?? null)
    }).load(id)
  }

  /** Returns a domain of the taxonomy by id. */
  async find(id: string, context: RequestContext): Promise<RolledDomain | null> {
    return (await this.#seen(context)).taxonomy.find(id) ?? null
  }

  #seen(context: RequestContext): Promise<DomainSnapshot> {
    return this.#loader(context).load(true)
  }

  #loader(context: RequestContext) {
    return loader<true, DomainSnapshot>(context, 'domains', async (keys) => {
      const seen = await this.#answers.get('', () => this.#rollUps.read(seenIn))
      return keys.map(() => seen)
    })
  }
}

@Resolver(() => DomainCount)
export class DomainCountResolver {
  readonly #domains: DomainResolver

  constructor(domains: DomainResolver) {
    this.#domains = domains
  }

  @FieldResolver(() => Domain, { description: 'The domain.' })
  domain(@Root() { domainId }: DomainCount, @Ctx() context: RequestContext): Promise<object | null> {
    return this.#domains.referred(domainId, context)
  }
}
