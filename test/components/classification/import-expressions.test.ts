import { randomBytes } from 'node:crypto'
import { v5 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { ModerationCases } from '../../../engines/analytics-store/moderation-cases.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { silentLog } from '../../../foundation/log.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { importExpressions } from '../../../subgraphs/classification/intake/import-expressions.ts'
import { contentOf } from '../../../subgraphs/classification/moderation/decide-case.ts'
import { ExpressionScreening } from '../../../subgraphs/classification/screening/screen-expressions.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

let database: Database
let store: AnalyticsStore<ExpressionDocument>
let cases: ModerationCases
let engines: Parameters<typeof importExpressions>[0]
let end: () => Promise<unknown>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
  end = async () => opened[Symbol.asyncDispose]()
  store = postgresAnalyticsStore({ database, feed })
  cases = new ModerationCases({ database, feed }, contentOf)
  await seedTaxonomy(store)
  const encoder = projectionEncoder()
  const geocoder = { source: 'none', locate: async () => undefined, find: async () => undefined }
  const [topics, sentiment] = [new TopicTrainer(store, encoder, ['cpu']), sentimentModel(['cpu'])]
  // on a busy machine learning takes longer than the limit of a step
  await Promise.all([topics.model(), sentiment()])
  const pipeline = new Pipeline({ topics, encoder, geocoder, sentiment })
  engines = { store, retries: new StepRetries(database), pipeline, pseudonymKey: randomBytes(32), expressionKey: randomBytes(32) }
})
afterAll(() => end?.())

const importFrom = (source: string, lines: readonly object[], more: Partial<typeof engines> = {}) =>
  importExpressions(
    { ...engines, ...more },
    { digest: source, begun: new Date(), source },
    lines.map((line, index) => ({ number: index + 1, text: JSON.stringify(line) })),
    AbortSignal.timeout(60_000),
  )
const storedFrom = async (source: string) => store.findExpressions(await store.expressionsFrom(source, 10))

describe('lines of a file', () => {
  it('are stored with the ISO 639-1 code of their language if one exists', async () => {
    const codes = ['fra', 'fre', 'eng', 'ara', 'arb', 'swa', 'fr', 'wo', 'fuc', 'fil']
    await importFrom(
      'codes',
      codes.map((lang) => ({ text: `Merci pour le pont, ${lang}`, lang, external_id: lang })),
    )
    const storedRows = new Map((await storedFrom('codes')).map((row) => [row.externalId, row]))
    expect(codes.map((code) => storedRows.get(code)?.lang)).toEqual(['fr', 'fr', 'en', 'ar', 'ar', 'sw', 'fr', 'wo', 'ff', 'fil'])
    expect(storedRows.get('fra')?.enrichment).toMatchObject({
      lang: { code: 'fr', detected: false },
      sentiment: { label: expect.any(String) },
    })
  })

  it('are refused with a time before 1900 or in the future, in every offset; a slightly fast clock counts as now', async () => {
    const text = 'Le pont est cassé'
    const { created, refused } = await importFrom('years', [
      { text, created_at: '9999-12-31T23:59:59-05:00' },
      { text, created_at: '1900-01-01T00:00:00+05:00' },
      { text, created_at: '9999-12-31T23:59:59Z' },
      { text, created_at: '1900-01-01T00:00:00Z' },
      { text, created_at: new Date(Date.now() + 6 * 60_000).toISOString() },
      { text, created_at: new Date(Date.now() + 4 * 60_000).toISOString() },
    ])
    expect(created).toBe(2)
    expect(refused.map(({ line }) => line)).toEqual([1, 2, 3, 5])
    for (const { reason } of refused) expect(reason).toMatch(/^created_at: .*from 1900 to 5 minutes ahead/)
    for (const { createdAt } of await storedFrom('years')) expect(createdAt.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('are refused individually when the store refuses them; the others are stored', async () => {
    await database.orm.execute(sql`alter table expression add constraint no_secret check (text not like '%unwritable%')`)
    const lines = ['first', 'unwritable', 'third'].map((text) => ({ text, external_id: text }))
    expect(await importFrom('refused', lines)).toMatchObject({
      created: 2,
      known: 0,
      refused: [{ line: 2, reason: expect.stringContaining('no_secret') }],
    })
    expect((await storedFrom('refused')).map(({ text }) => text).sort()).toEqual(['first', 'third'])
    expect(await importFrom('refused', lines)).toMatchObject({ created: 0, known: 2, refused: [{ line: 2 }] })
  })

  it('that must be held are counted once, however often the file is imported', async () => {
    const audit = { record: async () => undefined }
    const screening = new ExpressionScreening(cases, audit, { isHolding: true, threshold: 0.5 })
    const lines = [
      { text: 'Le pont est ouvert', external_id: 'polite' },
      { text: 'Espèce de connard, je vais te tuer', external_id: 'threat' },
    ]
    expect(await importFrom('held', lines, { screening })).toEqual({ created: 2, known: 0, refused: [] })
    expect((await storedFrom('held')).map(({ text }) => text)).toEqual(['Le pont est ouvert'])
    expect(await importFrom('held', lines, { screening })).toEqual({ created: 0, known: 2, refused: [] })
  })

  it('are recognised by ids of releases before 2.0, and remain withdrawn', async () => {
    const namespace = '6f1c7d0a-3b0e-5b7e-9c9f-0d6a4c1e8b52'
    const lines = [{ text: 'Le marché est fermé', external_id: 'm' }, { text: 'Le pont est fermé' }, { text: 'Retiré', external_id: 'w' }]
    const ids = [
      ['external', 'former', 'm'],
      ['occurrence', 'former', 'former:2'],
      ['external', 'former', 'w'],
    ].map((parts) => v5(JSON.stringify(parts), namespace))
    await importFrom('model', lines)
    const model = await storedFrom('model')
    const former = lines.flatMap(({ text }, n) =>
      model.flatMap((row) => (row.text === text ? [{ ...row, id: ids[n] ?? '', source: 'former' }] : [])),
    )
    await store.saveExpressions(former)
    await store.withdrawExpression(ids[2] ?? '')
    expect(await importFrom('former', lines)).toEqual({ created: 0, known: 3, refused: [] })
    expect(await importFrom('former', [{ text: 'Un autre texte', external_id: 'm' }])).toMatchObject({ created: 1 })
    expect(await importFrom('former', [{ text: 'Un troisième', external_id: 'm' }])).toMatchObject({ refused: [{ line: 1 }] })
    expect(await importFrom('former', lines)).toMatchObject({ created: 0, known: 3 })
  })
})
