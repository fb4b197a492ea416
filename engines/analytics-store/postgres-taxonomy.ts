import { createHash } from 'node:crypto'
import { Fault } from '../../foundation/fault.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import { advisoryLocks, shareLock, takeLock } from '../relational/advisory-locks.ts'
import type { Database, Queryable, Transaction } from '../relational/database.ts'
import { and, asc, count, desc, eq, inArray, isNotNull, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import {
  type ExpressionRecord,
  type Publication,
  RetiredDomains,
  type Successors,
  type Taxonomy,
  type TaxonomyChange,
  type TaxonomyContent,
  type TaxonomyDomain,
  type TaxonomyVersion,
} from './analytics-store.ts'
import { resolvedSuccessors } from './domain-tree.ts'
import { domain, taxonomyVersion } from './tables.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const digestOf = ({ parentId, slug, position, labels, examples, words, descriptions }: TaxonomyDomain): string =>
  sha256(
    JSON.stringify([
      ...[parentId, slug, position, sorted(labels), sorted(examples), sorted(words)],
      // omitted if empty, so that digests of earlier releases stay valid
      ...(Object.keys(descriptions).length === 0 ? [] : [sorted(descriptions)]),
    ]),
  )
const sorted = (record: Readonly<Record<string, unknown>>): unknown => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))

type DomainRow = typeof domain.$inferSelect

const domainOf = ({ id, parentId, slug, position, labels, descriptions, examples, words }: DomainRow): TaxonomyDomain => ({
  id,
  parentId,
  slug,
  position,
  labels,
  descriptions,
  examples,
  words,
})

const directSuccessors = async (on: Queryable): Promise<Readonly<Record<string, string | null>>> => {
  const { id, successorId } = domain
  const rows = await on.select({ id, successorId }).from(domain).where(isNotNull(domain.removedAt))
  return Object.fromEntries(rows.map((row) => [row.id, row.successorId]))
}

/** Reads the published taxonomy in one statement, and so of one version. */
export async function readTaxonomy(on: Queryable): Promise<Taxonomy> {
  const all = await on
    .select({ row: domain, number: sql<number | null>`(select max(number) from ${taxonomyVersion})` })
    .from(domain)
    .orderBy(sql`${domain.parentId} nulls first`, asc(domain.position), asc(domain.id))
  const rows = all.map(({ row }) => row).filter(({ removedAt }) => removedAt === null)
  const retired = all.map(({ row }) => row).filter(({ removedAt }) => removedAt !== null)
  const successors: Successors = resolvedSuccessors(
    Object.fromEntries(retired.map(({ id, successorId }) => [id, successorId])),
    new Set(rows.map(({ id }) => id)),
  )
  const replaced = [...successors].map(([id, successor]) => `${id} > ${successor ?? ''}`).sort()
  return {
    version: sha256([...rows.map(({ id, contentDigest }) => `${id} ${contentDigest}`), ...replaced].join('\n')).slice(0, 12),
    number: all[0]?.number ?? 0,
    domains: rows.map(domainOf),
    successors,
  }
}

export async function findDomains(database: Database, ids: readonly string[]): Promise<readonly TaxonomyDomain[]> {
  if (ids.length === 0) return []
  const rows = await database.orm
    .select()
    .from(domain)
    .where(inArray(domain.id, [...ids]))
  return rows.map(domainOf)
}

/** Waits for a running publication, then refuses records of retired domains. No publication begins until the end of the transaction. */
export async function refuseRetired(tx: Transaction, records: readonly ExpressionRecord[]): Promise<void> {
  const ids = new Set(records.flatMap(({ domain, subDomain }) => [domain, subDomain]).filter((id) => id !== null))
  if (ids.size === 0) return
  await tx.execute(shareLock(advisoryLocks.taxonomy))
  const retired = await tx
    .select({ id: domain.id })
    .from(domain)
    .where(and(inArray(domain.id, [...ids]), isNotNull(domain.removedAt)))
  if (retired.length > 0) throw new RetiredDomains(retired.map(({ id }) => id))
}

/** @returns the published version, the kinds of changes and the changed ids */
export async function writeTaxonomy(
  tx: Transaction,
  { domains, successors = {}, author, note, base }: Publication,
): Promise<{ readonly number: number; readonly change: TaxonomyChange; readonly ids: readonly string[] }> {
  await tx.execute(takeLock(advisoryLocks.taxonomy))
  const [latest] = await tx.select({ number: taxonomyVersion.number }).from(taxonomyVersion).orderBy(desc(taxonomyVersion.number)).limit(1)
  const published = latest?.number ?? 0
  if (base !== undefined && base !== published)
    throw new Fault('CONFLICT', `Version ${published} of the taxonomy is published, not version ${base}: compare with it and try again`)
  const stored = new Map((await tx.select().from(domain)).map((row) => [row.id, row]))
  const declared = domains.map((each) => ({ ...each, contentDigest: digestOf(each) }))
  const isLive = (id: string): boolean => stored.get(id)?.removedAt === null
  const added = declared.filter(({ id }) => !isLive(id))
  const updated = declared.filter(({ id, contentDigest }) => isLive(id) && stored.get(id)?.contentDigest !== contentDigest)
  const declaredIds = new Set(declared.map(({ id }) => id))
  const removed = [...stored.values()].filter(({ id, removedAt }) => removedAt === null && !declaredIds.has(id))
  const successorOf = (id: string, before: string | null): string | null => {
    const successor = successors[id]
    return successor === undefined ? before : successor
  }
  const redirected = [...stored.values()].filter(
    ({ id, removedAt, successorId }) => removedAt !== null && !declaredIds.has(id) && successorOf(id, successorId) !== successorId,
  )
  // such as those of a file of another platform
  const unknown = Object.keys(successors).filter((id) => !stored.has(id) && !declaredIds.has(id))
  const change = {
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    unchanged: declared.length - added.length - updated.length,
  }
  const ids = [...[...added, ...updated, ...removed, ...redirected].map(({ id }) => id), ...unknown]
  // a taxonomy of an earlier release has no version yet
  if (ids.length === 0 && published > 0) return { number: published, change, ids }
  // parents first, because of the foreign key
  const written = [...added, ...updated].sort((a, b) => Number(a.parentId !== null) - Number(b.parentId !== null))
  for (let from = 0; from < written.length; from += rowsAtOnce)
    await tx
      .insert(domain)
      .values(
        written.slice(from, from + rowsAtOnce).map(({ examples, ...members }) => ({
          ...members,
          examples: Object.fromEntries(Object.entries(examples).map(([lang, phrases]) => [lang, [...phrases]])),
          updatedAt: sql`now()`,
        })),
      )
      .onConflictDoUpdate({ target: domain.id, set: replacedColumns })
  if (unknown.length > 0)
    await tx
      .insert(domain)
      .values(
        unknown.map((id) => ({ id, slug: id, position: 0, labels: {}, examples: {}, words: {}, contentDigest: '', removedAt: sql`now()` })),
      )
  for (const id of unknown)
    await tx
      .update(domain)
      .set({ successorId: successorOf(id, null) })
      .where(eq(domain.id, id))
  for (const { id } of removed)
    await tx
      .update(domain)
      .set({ removedAt: sql`now()`, updatedAt: sql`now()`, successorId: successorOf(id, null) })
      .where(eq(domain.id, id))
  for (const { id, successorId } of redirected)
    await tx
      .update(domain)
      .set({ updatedAt: sql`now()`, successorId: successorOf(id, successorId) })
      .where(eq(domain.id, id))
  const number = published + 1
  const content = { domains: [...domains], successors: await directSuccessors(tx) }
  await tx.insert(taxonomyVersion).values({ number, author, note, change, content })
  return { number, change, ids }
}

const rowsAtOnce = 200
const replacedColumns = {
  parentId: sql`excluded.parent_id`,
  slug: sql`excluded.slug`,
  position: sql`excluded.position`,
  labels: sql`excluded.labels`,
  descriptions: sql`excluded.descriptions`,
  examples: sql`excluded.examples`,
  words: sql`excluded.words`,
  contentDigest: sql`excluded.revision`,
  updatedAt: sql`excluded.updated_at`,
  removedAt: sql`null`,
  successorId: sql`null`,
}

/** Returns a page of versions, newest first. */
export async function taxonomyVersions(database: Database, window: RowWindow<number>): Promise<readonly TaxonomyVersion[]> {
  const { number, author, note, at, change } = taxonomyVersion
  const { past, order } = keyset([number], 'descending', window, (place) => [place])
  return database.orm
    .select({ number, author, note, at, change })
    .from(taxonomyVersion)
    .where(past)
    .orderBy(...order)
    .limit(window.limit)
}

export async function countTaxonomyVersions(database: Database): Promise<number> {
  const [row] = await database.orm.select({ count: count() }).from(taxonomyVersion)
  return row?.count ?? 0
}

export async function taxonomyContent(database: Database, number: number): Promise<TaxonomyContent | undefined> {
  const [row] = await database.orm
    .select({ content: taxonomyVersion.content })
    .from(taxonomyVersion)
    .where(eq(taxonomyVersion.number, number))
  return row?.content
}
