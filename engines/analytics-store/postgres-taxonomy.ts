import { createHash } from 'node:crypto'
import type { Database, Queryable, Transaction } from '../relational/database.ts'
import { asc, inArray, isNull, sql } from '../relational/drizzle.ts'
import type { Taxonomy, TaxonomyChange, TaxonomyDomain } from './analytics-store.ts'
import { domain } from './tables.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const digestOf = ({ parentId, slug, position, labels, examples, words }: TaxonomyDomain): string =>
  sha256(JSON.stringify([parentId, slug, position, sorted(labels), sorted(examples), sorted(words)]))
const sorted = (record: Readonly<Record<string, unknown>>): unknown => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))

const liveRows = (on: Queryable) =>
  on
    .select()
    .from(domain)
    .where(isNull(domain.removedAt))
    .orderBy(sql`${domain.parentId} nulls first`, asc(domain.position), asc(domain.id))

const domainOf = ({ id, parentId, slug, position, labels, examples, words }: typeof domain.$inferSelect): TaxonomyDomain => ({
  id,
  parentId,
  slug,
  position,
  labels,
  examples,
  words,
})

export async function readTaxonomy(database: Database): Promise<Taxonomy> {
  const rows = await liveRows(database.orm)
  return {
    version: sha256(rows.map(({ id, contentDigest }) => `${id} ${contentDigest}`).join('\n')).slice(0, 12),
    domains: rows.map(domainOf),
  }
}

export async function readDomains(on: Queryable): Promise<readonly TaxonomyDomain[]> {
  return (await liveRows(on)).map(domainOf)
}

export async function findDomains(database: Database, ids: readonly string[]): Promise<readonly TaxonomyDomain[]> {
  if (ids.length === 0) return []
  const rows = await database.orm
    .select()
    .from(domain)
    .where(inArray(domain.id, [...ids]))
  return rows.map(domainOf)
}

/** @returns the kinds of changes and the changed ids */
export async function writeTaxonomy(
  tx: Transaction,
  domains: readonly TaxonomyDomain[],
): Promise<{ readonly change: TaxonomyChange; readonly ids: readonly string[] }> {
  const stored = new Map((await tx.select().from(domain).for('update')).map((row) => [row.id, row]))
  const declared = domains.map((each) => ({ ...each, contentDigest: digestOf(each) }))
  const isLive = (id: string): boolean => stored.get(id)?.removedAt === null
  const added = declared.filter(({ id }) => !isLive(id))
  const updated = declared.filter(({ id, contentDigest }) => isLive(id) && stored.get(id)?.contentDigest !== contentDigest)
  const declaredIds = new Set(declared.map(({ id }) => id))
  const removed = [...stored.values()].filter(({ id, removedAt }) => removedAt === null && !declaredIds.has(id))
  // parents first, because of the foreign key
  for (const { id, ...members } of [...added, ...updated].sort((a, b) => Number(a.parentId !== null) - Number(b.parentId !== null))) {
    const values = {
      ...members,
      examples: Object.fromEntries(Object.entries(members.examples).map(([lang, phrases]) => [lang, [...phrases]])),
      removedAt: null,
      updatedAt: sql`now()`,
    }
    await tx
      .insert(domain)
      .values({ id, ...values })
      .onConflictDoUpdate({ target: domain.id, set: values })
  }
  for (const { id } of removed)
    await tx.update(domain).set({ removedAt: sql`now()`, updatedAt: sql`now()` }).where(sql`${domain.id} = ${id}`)
  const change = {
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    unchanged: declared.length - added.length - updated.length,
  }
  return { change, ids: [...added, ...updated, ...removed].map(({ id }) => id) }
}
