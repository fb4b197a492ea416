import { z } from 'zod'
import { expression, expressionDeadLetter } from '../../../engines/analytics-store/tables.ts'
import { nextPosition } from '../../../engines/message-queue/outbox-queue.ts'
import { outbox, outboxDeadLetter } from '../../../engines/message-queue/tables.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import {
  and,
  bigint,
  bytea,
  date,
  eq,
  getTableColumns,
  inArray,
  millisecondMoment,
  not,
  pgTable,
  smallint,
  sql,
  uuid,
} from '../../../engines/relational/drizzle.ts'
import { rfc3339 } from '../../../foundation/clock.ts'
import { ExpressionDocument } from './expression-document.ts'

const expressionIdentity = pgTable('expression_identity', {
  id: uuid('id').primaryKey(),
  digest: bytea('digest'),
  digestVersion: smallint('digest_version').notNull(),
  receivedDay: date('received_day').notNull(),
  outboxPosition: bigint('outbox_position', { mode: 'number' }),
  indexedAt: millisecondMoment('indexed_at'),
})

/** The identity of an accepted expression. */
export interface ExpressionIdentity {
  readonly id: string
  /** distinguishes texts under one external id, hex; null without an external id */
  readonly digest: string | null
  readonly digestVersion: number
  readonly receivedAt: Date
}

/** An expression that was accepted before. */
export interface AcceptedExpression {
  /** undefined: without an external id, or accepted by a release without digests */
  readonly digest: { readonly version: number; readonly value: string } | undefined
  /** undefined: withdrawn. `indexedAt` is null while the index may not have it */
  readonly document: ExpressionDocument | undefined
}

/**
 * Claims ids that were never accepted, in the transaction that stores their expressions. An id that another transaction is claiming is not waited
 * for, so that a transaction that stays open delays no other expression.
 * @returns the claimed ids, and the position of the message that must contain their expressions
 */
export async function claimIdentities(
  tx: Transaction,
  identities: readonly ExpressionIdentity[],
): Promise<{ readonly claimed: ReadonlySet<string>; readonly position: number | undefined }> {
  if (identities.length === 0) return { claimed: new Set(), position: undefined }
  const given = identities.map(({ id, digest, digestVersion, receivedAt }) => ({
    id,
    digest,
    version: digest === null ? 0 : digestVersion,
    day: rfc3339(receivedAt).slice(0, 10),
  }))
  const { rows } = await tx.execute<{ id: string; position: string }>(sql`
    with given as materialized (
      select id, digest, version, day from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id uuid, digest text, version smallint, day date)
      where pg_try_advisory_xact_lock(hashtextextended('expression ' || id, 0))
    ), message as materialized (select ${nextPosition} as position)
    insert into ${expressionIdentity} (id, digest, digest_version, received_day, outbox_position)
    select id, decode(digest, 'hex'), version, day, position from given, message order by id
    on conflict do nothing
    returning id, outbox_position as position`)
  return { claimed: new Set(rows.map(({ id }) => id)), position: rows[0] && Number(rows[0].position) }
}

/** Records when the index received expressions. @param times - RFC 3339 by id */
export async function recordIndexTimes({ orm }: Database, times: ReadonlyMap<string, string>): Promise<void> {
  if (times.size === 0) return
  const given = [...times].map(([id, at]) => ({ id, at }))
  await orm.execute(sql`
    update ${expressionIdentity} i set indexed_at = g.at
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id uuid, at timestamptz(3))
    where i.id = g.id and i.indexed_at is distinct from g.at`)
}

/** number of messages that are searched for an expression that an operator has sent again; a message contains up to 500 */
const searchedMessages = 100

/**
 * Returns the accepted expressions of these ids, from the store, the outbox or the dead letters. An id whose expression is in none of them is free
 * again. @throws {EngineUnavailable}
 */
export async function readAccepted(
  database: Database,
  queue: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AcceptedExpression>> {
  const accepted = new Map<string, AcceptedExpression>()
  const unwritten = new Map<string, IdentityRow>()
  const add = (row: IdentityRow, document: ExpressionDocument | undefined): void => {
    const digest = row.digest === null ? undefined : { version: row.digestVersion, value: row.digest.toString('hex') }
    const indexedAt = row.indexedAt && rfc3339(row.indexedAt)
    accepted.set(row.id, { digest, document: document && { ...document, indexedAt } })
    unwritten.delete(row.id)
  }
  const addStored = async (some: readonly string[]): Promise<void> => {
    for (const { enrichment, withdrawnAt, ...row } of await readIdentities(database, some))
      if (withdrawnAt !== null) add(row, undefined)
      else if (enrichment === null) unwritten.set(row.id, row)
      else add(row, ExpressionDocument.parse(enrichment))
  }
  const addRows = (rows: readonly unknown[]): void => {
    for (const { document } of rows.flatMap((each) => Queued.safeParse(each).data ?? [])) {
      const row = unwritten.get(document.id)
      if (row !== undefined) add(row, document)
    }
  }
  await addStored(ids)
  if (unwritten.size === 0) return accepted
  // one message at a time: it may have megabytes
  for (const position of new Set([...unwritten.values()].map(({ outboxPosition }) => outboxPosition ?? 0)))
    addRows(await rowsOfMessage(database, position))
  // written or buried since, or sent again by an operator
  await addStored([...unwritten.keys()])
  addRows(await deadLettersOf(database, [...unwritten.keys()]))
  for (const id of unwritten.keys()) addRows(await rowsMentioning(database, queue, id))
  await forget(database, [...unwritten.keys()])
  return accepted
}

type IdentityRow = Omit<typeof expressionIdentity.$inferSelect, 'receivedDay'>

const { receivedDay: _, ...identityColumns } = getTableColumns(expressionIdentity)

/** Returns identities with what the store has of their expressions. */
function readIdentities({ orm }: Database, ids: readonly string[]) {
  const { enrichment, withdrawnAt } = expression
  return orm
    .select({ ...identityColumns, enrichment, withdrawnAt })
    .from(expressionIdentity)
    .leftJoin(expression, eq(expression.id, expressionIdentity.id))
    .where(inArray(expressionIdentity.id, [...ids]))
}

const Queued = z.object({ document: ExpressionDocument })
/** rows of a message; a message of another kind has none */
const Message = z.object({ rows: z.array(z.unknown()).catch([]) }).catch({ rows: [] })

async function rowsOfMessage({ orm }: Database, position: number): Promise<readonly unknown[]> {
  const messages = await orm.select({ content: outbox.content }).from(outbox).where(eq(outbox.position, position))
  return messages.flatMap(({ content }) => Message.parse(content).rows)
}

async function deadLettersOf({ orm }: Database, ids: readonly string[]): Promise<readonly unknown[]> {
  const { id, content } = expressionDeadLetter
  const letters = await orm
    .select({ content })
    .from(expressionDeadLetter)
    .where(inArray(id, [...ids]))
  return letters.map((letter) => letter.content)
}

/** Returns the rows of the latest messages, waiting or dead, that contain an id. */
async function rowsMentioning({ orm }: Database, queue: string, id: string): Promise<readonly unknown[]> {
  const latest = (table: typeof outbox | typeof outboxDeadLetter) =>
    sql`(select content from ${table} where queue = ${queue} order by position desc limit ${searchedMessages})`
  const { rows } = await orm.execute<{ content: unknown }>(sql`
    select content from (${latest(outbox)} union all ${latest(outboxDeadLetter)}) as latest where strpos(content::text, ${id}) > 0 limit 1`)
  return rows.flatMap(({ content }) => Message.parse(content).rows)
}

/** Frees ids of expressions that were lost, such as those of a message that an operator removed. */
async function forget({ orm }: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const isStored = sql`exists (select from ${expression} e where e.id = ${expressionIdentity.id})`
  await orm.delete(expressionIdentity).where(and(inArray(expressionIdentity.id, [...ids]), not(isStored)))
}
