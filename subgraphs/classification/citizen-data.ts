import { z } from 'zod'
import { postgresAnalyticsStore } from '../../engines/analytics-store/postgres-analytics-store.ts'
import { expressionDeadLetter } from '../../engines/analytics-store/tables.ts'
import type { CitizenDataHolder, CitizenReferences, ExportedRecord } from '../../engines/citizen-data/citizen-data.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import { outbox, outboxDeadLetter } from '../../engines/message-queue/tables.ts'
import type { Database } from '../../engines/relational/database.ts'
import { inArray, sql } from '../../engines/relational/drizzle.ts'
import { isUuid } from '../../foundation/validation/values.ts'
import { type ExpressionDocument, readQueued } from './expression/expression-document.ts'
import { authorOf } from './intake/expression-key.ts'
import { reporterOfUser } from './moderation/report-expression.ts'
import { expressionRetry } from './step-retries/step-retries.ts'

const rowsAtOnce = 200

/**
 * Returns the expressions of a citizen by the references that services sent with them, withheld ones included, and the reports of the citizen's
 * accounts. An erasure removes both; expressions whose author no service vouches for are only listed, since anyone can send another person's
 * reference.
 */
export function citizenDataOf({
  database,
  feed,
  pseudonymKey,
}: {
  readonly database: Database
  readonly feed: EventFeed
  /** PSEUDONYM_KEY */
  readonly pseudonymKey: Uint8Array
}): CitizenDataHolder {
  const store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
  const authorsOf = ({ authorRefs }: CitizenReferences): readonly string[] => authorRefs.map((ref) => authorOf(ref, pseudonymKey))
  const reportersOf = ({ voters }: CitizenReferences): readonly string[] =>
    voters.flatMap((voter) => ('issuer' in voter ? [reporterOfUser(voter.issuer, voter.subject, pseudonymKey)] : []))
  const withheldOf = async (citizen: CitizenReferences): Promise<readonly ExportedRecord[]> =>
    (await store.withheldOfAuthors(authorsOf(citizen))).map(({ id, content, isVerified }) => {
      const { document, source, externalId, receivedAt } = readQueued(content)
      const { text, lang, createdAt } = document
      const members = { text, lang: lang?.code ?? 'und', source, external_id: externalId, created_at: createdAt, received_at: receivedAt }
      return { position: '', type: 'withheld_expression', data: { id, verified: isVerified, ...members } }
    })
  const reportsOf = async (citizen: CitizenReferences): Promise<readonly ExportedRecord[]> =>
    (await store.reportsOfReporters(reportersOf(citizen))).map(({ expressionId, ...report }) => ({
      position: '',
      type: 'report',
      data: { expression_id: expressionId, ...report },
    }))
  return {
    component: 'expressions',
    async survey(citizen) {
      const authors = authorsOf(citizen)
      const reports = await store.countReports(reportersOf(citizen))
      if (authors.length === 0) return { erasable: { reports }, remaining: [{ kind: 'unreferenced_data', count: null, ids: [] }] }
      const counts = await store.countOfPeople({ authors, voters: [] })
      const unwritten = await unwrittenOf(database, authors)
      return {
        erasable: { expressions: counts.expressions + unwritten.length, reports },
        remaining: [{ kind: 'unverified_expressions', count: counts.unverifiedExpressions, ids: counts.unverifiedExpressionIds }],
      }
    },
    async erase(citizen, record) {
      const authors = authorsOf(citizen)
      const unwritten = await unwrittenOf(database, authors)
      await store.withdrawOfAuthors(authors, { limit: rowsAtOnce, unwritten }, async (tx, ids, isLast) => {
        if (ids.length > 0) {
          await tx.delete(expressionRetry).where(inArray(expressionRetry.id, [...ids]))
          await tx.delete(expressionDeadLetter).where(inArray(expressionDeadLetter.id, [...ids]))
        }
        const reports = await store.deleteReportsOf(tx, reportersOf(citizen))
        await record(tx, { counts: { expressions: ids.length, reports }, nodes: [], isLast })
      })
    },
    async export(citizen, after, limit) {
      const place = after !== undefined && isUuid(after) ? after : undefined
      const records = await store.expressionsOfAuthors(authorsOf(citizen), place, limit)
      // few, and beside the first page
      const others = after === undefined ? [...(await withheldOf(citizen)), ...(await reportsOf(citizen))] : []
      const expressions = records.map((record) => ({
        position: record.id,
        type: 'expression',
        data: {
          id: record.id,
          verified: record.author !== null,
          text: record.text,
          lang: record.lang,
          source: record.source,
          external_id: record.externalId,
          domain: record.domain,
          sub_domain: record.subDomain,
          sentiment: record.sentiment,
          position: record.position,
          created_at: record.createdAt,
          received_at: record.receivedAt,
        },
      }))
      return [...others, ...expressions]
    },
  }
}

/** rows of a message; a message of another kind has none */
const Message = z.object({ rows: z.array(z.unknown()).catch([]) }).catch({ rows: [] })
const Queued = z.object({ author: z.string(), document: z.object({ id: z.guid() }) })

/** Returns the ids of verified expressions of these authors that are accepted but not written: queued, or dead letters. */
async function unwrittenOf({ orm }: Database, authors: readonly string[]): Promise<readonly string[]> {
  if (authors.length === 0) return []
  // parsed here, because PostgreSQL reads no member of JSON in which a text contains U+0000
  const mentioning = (table: typeof outbox | typeof outboxDeadLetter) => sql`
    select content::text as content from ${table}
    where exists (select 1 from unnest(${sql.param([...authors])}::text[]) as wanted (author) where strpos(content::text, wanted.author) > 0)`
  const [messages, letters] = await Promise.all([
    orm.execute<{ content: string }>(sql`${mentioning(outbox)} union all ${mentioning(outboxDeadLetter)}`),
    orm
      .select({ id: expressionDeadLetter.id })
      .from(expressionDeadLetter)
      .where(sql`${expressionDeadLetter.content} ->> 'author' = any(${sql.param([...authors])}::text[])`),
  ])
  const queued = messages.rows.flatMap(({ content }) =>
    Message.parse(JSON.parse(content)).rows.flatMap((row) => {
      const { success, data } = Queued.safeParse(row)
      return success && authors.includes(data.author) ? [data.document.id] : []
    }),
  )
  return [...new Set([...queued, ...letters.map(({ id }) => id)])]
}
