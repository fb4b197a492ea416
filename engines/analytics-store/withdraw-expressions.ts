import type { Transaction } from '../relational/database.ts'
import { and, inArray, isNull, sql } from '../relational/drizzle.ts'
import { eraseVotes } from './postgres-votes.ts'
import { expression } from './tables.ts'

/** Reserves the ids of expressions that are not written yet, so that a withdrawal prevents their later write. */
export async function reserve(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insert(expression)
    .values(ids.map((id) => ({ id, ...erased })))
    .onConflictDoNothing()
}

/** Erases expressions except their ids. @returns the ids of those that were not withdrawn before */
export async function withdraw(tx: Transaction, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const gone = await tx
    .update(expression)
    .set({ ...erased, withdrawnAt: now })
    .where(and(inArray(expression.id, [...ids]), isNull(expression.withdrawnAt)))
    .returning({ id: expression.id })
  await eraseVotes(tx, ids)
  return gone.map(({ id }) => id)
}

const now = sql`now()`
/** The values of a withdrawn expression: its id is retained, and every time is the time of withdrawal. */
const erased = {
  source: '',
  text: '',
  lang: 'und',
  externalId: null,
  author: null,
  unverifiedAuthor: null,
  domain: null,
  subDomain: null,
  sentiment: null,
  sentimentScore: null,
  lat: null,
  lon: null,
  enrichment: {},
  embedding: null,
  embeddingModel: null,
  contentDigest: '',
  createdAt: now,
  receivedAt: now,
}
