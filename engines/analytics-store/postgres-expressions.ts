/// <reference lib="esnext.float16" />

import { hash } from 'node:crypto'
import type { Database, Transaction } from '../relational/database.ts'
import { and, asc, gt, inArray, isNull, lte, sql } from '../relational/drizzle.ts'
import { adoptedSource, type ExpressionRecord, type PublicExpression, type StoredRange } from './analytics-store.ts'
import { type ExpressionRow, expression } from './tables.ts'

/** Serialises a row with its digest for jsonb_to_recordset: one parameter per batch instead of ten thousand. */
function jsonOf(record: ExpressionRecord): string {
  const members = JSON.stringify({
    id: record.id,
    source: record.source,
    external_id: record.externalId,
    text: record.text,
    lang: record.lang,
    author: record.author,
    // omitted if null, so that digests of earlier releases stay valid
    ...(record.unverifiedAuthor !== null && { unverified_author: record.unverifiedAuthor }),
    domain: record.domain,
    sub_domain: record.subDomain,
    sentiment: record.sentiment,
    sentiment_score: record.sentimentScore,
    lat: record.position?.lat ?? null,
    lon: record.position?.lon ?? null,
    created_at: record.createdAt.toISOString(),
    received_at: record.receivedAt.toISOString(),
    enrichment: record.enrichment,
    embedding: record.embedding === null ? null : toHalfPrecision(record.embedding).toString('base64'),
    embedding_model: record.embeddingModel,
  })
  return `${members.slice(0, -1)},"content_digest":"${hash('sha256', members)}"}`
}

/** 0 without an enrichment, as in the statement below */
function revisionOf({ enrichment }: ExpressionRecord): number {
  const isObject = typeof enrichment === 'object' && enrichment !== null
  return isObject && 'revision' in enrichment && typeof enrichment.revision === 'number' ? enrichment.revision : 0
}

/** whether an adopted row is replaced by a sent one */
const isAdopted = sql`(e.source = ${adoptedSource} and excluded.source <> ${adoptedSource})`

export interface ChangedExpression extends Record<string, unknown> {
  readonly id: string
  readonly added: boolean
}

/**
 * Upserts expressions and returns the changed ones. The column `revision` contains the digest. Rows are written in id order, so that concurrent
 * writers wait instead of deadlocking.
 */
export async function upsertExpressions(
  tx: Transaction,
  records: readonly ExpressionRecord[],
  { onlyNew = false, onlyNewer = false }: { readonly onlyNew?: boolean; readonly onlyNewer?: boolean } = {},
): Promise<readonly ChangedExpression[]> {
  const last = new Map<string, ExpressionRecord>()
  for (const record of records) {
    const before = last.get(record.id)
    if (before === undefined || revisionOf(before) <= revisionOf(record)) last.set(record.id, record)
  }
  const rows = `[${[...last.values()].map(jsonOf).join(',')}]`
  const result = await tx.execute<ChangedExpression>(sql`
    insert into ${expression} as e (id, source, external_id, text, lang, author, unverified_author, domain, sub_domain, sentiment,
      sentiment_score, lat, lon, created_at, received_at, enrichment, embedding, embedding_model, revision)
    select r.id, r.source, r.external_id, r.text, r.lang, decode(r.author, 'hex'), decode(r.unverified_author, 'hex'), r.domain, r.sub_domain, r.sentiment, r.sentiment_score,
      r.lat, r.lon, r.created_at, r.received_at, r.enrichment, decode(r.embedding, 'base64'), r.embedding_model, r.content_digest
    from jsonb_to_recordset(${rows}::jsonb) as r(id uuid, source text, external_id text, text text, lang text, author text, unverified_author text, domain text,
      sub_domain text, sentiment text, sentiment_score real, lat double precision, lon double precision, created_at timestamptz,
      received_at timestamptz, enrichment jsonb, embedding text, embedding_model text, content_digest text)
    order by r.id
    on conflict (id) do update set
      source = case when ${isAdopted} then excluded.source else e.source end,
      external_id = case when ${isAdopted} then excluded.external_id else e.external_id end,
      received_at = case when ${isAdopted} then excluded.received_at else e.received_at end,
      text = excluded.text, lang = excluded.lang, author = excluded.author, unverified_author = excluded.unverified_author, domain = excluded.domain, sub_domain = excluded.sub_domain,
      sentiment = excluded.sentiment, sentiment_score = excluded.sentiment_score, lat = excluded.lat, lon = excluded.lon,
      enrichment = excluded.enrichment, embedding = excluded.embedding, embedding_model = excluded.embedding_model,
      revision = excluded.revision
    where e.revision <> excluded.revision and e.withdrawn_at is null and not ${onlyNew}
      and (${isAdopted} or coalesce((e.enrichment ->> 'revision')::bigint, 0) ${sql.raw(onlyNewer ? '<' : '<=')} coalesce((excluded.enrichment ->> 'revision')::bigint, 0))
    returning e.id, (e.xmax = 0) as added`)
  return result.rows
}

/** Converts a row to its record. */
export function recordOf<Enrichment>(row: ExpressionRow): ExpressionRecord<Enrichment> {
  const { lat, lon, author, unverifiedAuthor, embedding, contentDigest: _, withdrawnAt: __, fingerprint: ___, enrichment, ...members } = row
  return {
    ...members,
    author: author?.toString('hex') ?? null,
    unverifiedAuthor: unverifiedAuthor?.toString('hex') ?? null,
    position: lat === null || lon === null ? null : { lat, lon },
    embedding: embedding === null ? null : fromHalfPrecision(embedding),
    // written by the owner of this type through the same store
    enrichment: enrichment as Enrichment,
  }
}

export async function findExpressions<Enrichment>(
  database: Database,
  ids: readonly string[],
  onWithdrawn?: (id: string) => void,
): Promise<readonly ExpressionRecord<Enrichment>[]> {
  if (ids.length === 0) return []
  const rows = await database.orm
    .select()
    .from(expression)
    .where(inArray(expression.id, [...ids]))
  for (const { id, withdrawnAt } of rows) if (withdrawnAt !== null) onWithdrawn?.(id)
  return rows.filter(({ withdrawnAt }) => withdrawnAt === null).map((row) => recordOf<Enrichment>(row))
}

export async function publicExpressions(database: Database, ids: readonly string[]): Promise<readonly PublicExpression[]> {
  if (ids.length === 0) return []
  const { id, createdAt, text, lang, domain, subDomain, sentiment, sentimentScore, lat, lon } = expression
  const rows = await database.orm
    .select({ id, createdAt, text, lang, domain, subDomain, sentiment, sentimentScore, lat, lon })
    .from(expression)
    .where(and(inArray(id, [...ids]), isNull(expression.withdrawnAt)))
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((each) => {
    const row = found.get(each)
    if (row === undefined) return []
    const { lat: latitude, lon: longitude, ...members } = row
    return [{ ...members, position: latitude === null || longitude === null ? null : { lat: latitude, lon: longitude } }]
  })
}

export async function pageOfExpressions<Enrichment>(
  database: Database,
  after: string | undefined,
  limit: number,
): Promise<readonly ExpressionRecord<Enrichment>[]> {
  const rows = await database.orm
    .select()
    .from(expression)
    .where(and(isNull(expression.withdrawnAt), after === undefined ? undefined : gt(expression.id, after)))
    .orderBy(asc(expression.id))
    .limit(limit)
  return rows.map((row) => recordOf<Enrichment>(row))
}

export async function summariseExpressions(database: Database, after: string | undefined, limit: number): Promise<StoredRange> {
  const { rows } = await database.orm.execute<{ count: string; sum: string; last: string | null }>(sql`
    select count(*) as count, coalesce(sum(fingerprint), 0) as sum, max(id::text collate "C") as last
    from (
      select id, fingerprint from ${expression}
      where withdrawn_at is null ${after === undefined ? sql`` : sql`and id > ${after}`} order by id limit ${limit}
    ) r`)
  const [row] = rows
  const count = Number(row?.count ?? 0)
  return { count, sum: Number(row?.sum ?? 0), upTo: count < limit ? undefined : (row?.last ?? undefined) }
}

export async function versionsOfExpressions(
  database: Database,
  after: string | undefined,
  upTo: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const version = sql<string>`coalesce((${expression.enrichment} ->> 'revision')::bigint, 0)`
  const rows = await database.orm
    .select({ id: expression.id, version })
    .from(expression)
    .where(
      and(
        isNull(expression.withdrawnAt),
        after === undefined ? undefined : gt(expression.id, after),
        upTo === undefined ? undefined : lte(expression.id, upTo),
      ),
    )
    .orderBy(asc(expression.id))
  return new Map(rows.map(({ id, version }) => [id, Number(version)]))
}

/** Encodes numbers as IEEE 754 binary16, little endian: two bytes each, about three decimal digits. */
function toHalfPrecision(vector: Float32Array): Buffer {
  const halves = Float16Array.from(vector)
  return Buffer.from(halves.buffer, halves.byteOffset, halves.byteLength)
}

function fromHalfPrecision(bytes: Uint8Array): Float32Array {
  // copies, since the driver may return a buffer at an odd offset
  return Float32Array.from(new Float16Array(Uint8Array.from(bytes).buffer))
}
