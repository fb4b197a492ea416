import type { AnalyticsStore, Publication, TaxonomyContent } from '../../../engines/analytics-store/analytics-store.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { contentViolations } from './taxonomy-content.ts'
import { TaxonomyJobs } from './taxonomy-jobs.ts'

/** Returns the published version; number 0 and no domains before the first. */
export async function publishedContent(
  store: Pick<AnalyticsStore, 'taxonomyVersions' | 'taxonomyContent'>,
): Promise<{ readonly number: number; readonly content: TaxonomyContent }> {
  const [latest] = await store.taxonomyVersions({ limit: 1 })
  const content = latest && (await store.taxonomyContent(latest.number))
  return { number: latest?.number ?? 0, content: content ?? { domains: [], successors: {} } }
}

/**
 * Returns the content of an earlier version as the next one: domains that it does not have are retired, without a successor unless one is known.
 * @returns undefined when the version does not exist
 */
export async function earlierContent(
  store: Pick<AnalyticsStore, 'taxonomyVersions' | 'taxonomyContent'>,
  version: number,
): Promise<TaxonomyContent | undefined> {
  const former = await store.taxonomyContent(version)
  if (former === undefined) return undefined
  const { content: published } = await publishedContent(store)
  const current = new Set(former.domains.map(({ id }) => id))
  const omitted = Object.fromEntries(published.domains.map(({ id }) => [id, null]))
  const retired = Object.entries({ ...omitted, ...published.successors, ...former.successors }).filter(([id]) => !current.has(id))
  const known = new Set([...current, ...retired.map(([id]) => id)])
  return {
    domains: former.domains,
    successors: Object.fromEntries(retired.map(([id, to]) => [id, to !== null && known.has(to) ? to : null])),
  }
}

export interface ContentPublication extends Pick<Publication, 'author' | 'note' | 'base'> {
  readonly content: TaxonomyContent
  /** the content of an earlier version, which rules that are newer than it do not prevent */
  readonly isEarlier?: boolean
}

/**
 * Publishes a content and, in the same transaction, starts the job that moves stored expressions out of retired and moved domains.
 * @returns the number of the version @throws {InvalidInput} @throws {Fault} CONFLICT if another version than `base` is published
 */
export async function publishContent(
  { store, database }: { readonly store: Pick<AnalyticsStore, 'publishTaxonomy'>; readonly database: Database },
  { content: { domains, successors }, isEarlier = false, ...about }: ContentPublication,
  within: (tx: Transaction, number: number) => Promise<void>,
  window?: CommitWindow,
): Promise<number> {
  if (!isEarlier) refuseViolations(contentViolations({ domains, successors }))
  const jobs = new TaxonomyJobs(database)
  const published = await store.publishTaxonomy(
    { ...about, domains, successors },
    {
      ...(window !== undefined && { window }),
      async within(tx, number) {
        await jobs.begin(tx, { kind: 'outdated', author: about.author, version: number })
        await within(tx, number)
      },
    },
  )
  return published.number
}
