import type { Publication, TaxonomyContent, TaxonomyVersion } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import type { Announcer, EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database, Queryable } from '../../../engines/relational/database.ts'
import { NotFound } from '../../../foundation/fault.ts'
import { publishContent, publishedContent } from '../taxonomy/published-content.ts'
import { differencesOf, type TaxonomyDifference } from '../taxonomy/taxonomy-content.ts'
import { TaxonomyDrafts } from '../taxonomy/taxonomy-drafts.ts'
import { readTaxonomyFile, type TaxonomyFormat, writeTaxonomyFile } from '../taxonomy/taxonomy-file.ts'

export type { TaxonomyDifference } from '../taxonomy/taxonomy-content.ts'
export { maxTaxonomyFile, type TaxonomyFormat } from '../taxonomy/taxonomy-file.ts'

/** A file that was read, and what it changes in the published version `base`. */
export interface ComparedTaxonomy {
  readonly base: number
  readonly content: TaxonomyContent
  readonly differences: readonly TaxonomyDifference[]
}

/** Import and export of the taxonomy by an operator on the database, with or without a running platform. */
export function taxonomyFiles({ database, feed }: { readonly database: Database; readonly feed: EventFeed & Announcer }) {
  const store = postgresAnalyticsStore({ database, feed })
  return {
    /** @throws {NotFound} for an unknown version */
    async export(format: TaxonomyFormat, version: number | undefined): Promise<string> {
      const content = version === undefined ? (await publishedContent(store)).content : await store.taxonomyContent(version)
      if (content === undefined) throw new NotFound(`Version ${version} of the taxonomy does not exist`)
      return writeTaxonomyFile(content, format)
    },
    /** @throws {InvalidInput} naming line and column of each problem */
    async compare(bytes: Uint8Array, format: TaxonomyFormat): Promise<ComparedTaxonomy> {
      const read = readTaxonomyFile(bytes, format)
      const { number: base, content: published } = await publishedContent(store)
      const content = completedBy(read, published)
      return { base, content, differences: differencesOf(published, content) }
    },
    /** @param within - runs in the transaction of the publication @returns the number of the version */
    publish: (
      { base, content }: ComparedTaxonomy,
      { author, note }: Pick<Publication, 'author' | 'note'>,
      within: (tx: Queryable, number: number) => Promise<void>,
    ): Promise<number> => publishContent({ store, database }, { content, base, author, note }, within),
    /** Replaces the draft. @throws {Fault} CONFLICT when it was changed meanwhile */
    draft: ({ base, content }: ComparedTaxonomy, author: string, within: (tx: Queryable) => Promise<void>): Promise<number> =>
      new TaxonomyDrafts(database, store).replace({ content, base, author }, within),
    versions: (): Promise<readonly TaxonomyVersion[]> => store.taxonomyVersions({ limit: 1000 }),
  }
}

/** Adds the retired domains that a file omits: what is retired stays so, and what is published and omitted is retired without a successor. */
function completedBy({ domains, successors }: TaxonomyContent, published: TaxonomyContent): TaxonomyContent {
  const current = new Set(domains.map(({ id }) => id))
  const omitted = published.domains.filter(({ id }) => !current.has(id)).map(({ id }) => [id, null] as const)
  const all = { ...published.successors, ...Object.fromEntries(omitted), ...successors }
  return { domains, successors: Object.fromEntries(Object.entries(all).filter(([id]) => !current.has(id))) }
}
