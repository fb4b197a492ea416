import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnalyticsStore, analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import type { Geocoder } from '../../../engines/geocoder/geocoder.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { stepFailures } from '../../../subgraphs/classification/analysis/step-failures.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import type { ExpressionDocument, QueuedExpression } from '../../../subgraphs/classification/expression/expression-document.ts'
import type { NewExpression } from '../../../subgraphs/classification/expression/expression-input.ts'
import { BatchWriter } from '../../../subgraphs/classification/intake/batch-writer.ts'
import { enrich, identify } from '../../../subgraphs/classification/intake/enrich-expression.ts'
import { redriveDeadLetters } from '../../../subgraphs/classification/intake/redrive.ts'
import { workerMetrics } from '../../../subgraphs/classification/intake/worker-metrics.ts'
import { type RetryOutcome, stepRetrying } from '../../../subgraphs/classification/step-retries/retry-steps.ts'
import { retryDelayMs, StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

/** A geocoder and an encoder that can be unavailable. */
const unavailable = { geocoder: false, encoder: false }
const projection = projectionEncoder()
/** Name of the encoder's model: another model computes other vectors. */
let model = projection.model
const encoder = {
  ...projection,
  get model() {
    return model
  },
  encode: (text: string, signal: AbortSignal) =>
    unavailable.encoder
      ? Promise.reject(new Error('unavailable'))
      : projection.encode(model === projection.model ? text : `${model} ${text}`, signal),
}
const requests: unknown[] = []
const geocoder: Geocoder = {
  source: 'test',
  locate: async (address) => {
    if (unavailable.geocoder) throw new EngineUnavailable('geocoder', new Error('no route to host'))
    requests.push(address)
    return { lat: 1, lon: 2, precision: 'city', name: 'There', country: 'SN' }
  },
  find: async () => undefined,
}

let database: Database
let end: () => Promise<unknown>
let store: AnalyticsStore<ExpressionDocument>
let retries: StepRetries
let pipeline: Pipeline
let writer: BatchWriter
const registry = new Registry()
const feedOf = (url: string) => relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log: silentLog })
let feed: ReturnType<typeof feedOf>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  feed = feedOf(opened.url)
  await feed.start(AbortSignal.timeout(60_000))
  end = () => feed.stop().then(() => opened[Symbol.asyncDispose]())
  store = postgresAnalyticsStore({ database, feed })
  retries = new StepRetries(database)
  await seedTaxonomy(store)
  const topics = new TopicTrainer(store, encoder, ['cpu'])
  const sentiment = sentimentModel(['cpu'])
  await Promise.all([topics.model(), sentiment()])
  pipeline = new Pipeline({ topics, encoder, geocoder, sentiment, onStepFailure: stepFailures(registry, silentLog) })
  const metrics = workerMetrics(registry, {
    retries: () => retries.waiting(),
    deadLetters: () => store.countDeadLetters(),
    deadMessages: async () => 0,
  })
  writer = new BatchWriter({ store, retries, log: silentLog, metrics })
})
afterAll(() => end?.())
beforeEach(() => {
  Object.assign(unavailable, { geocoder: false, encoder: false })
  model = projection.model
  requests.length = 0
})

const expressionWith = (members: Partial<NewExpression> = {}): NewExpression => ({
  text: 'Le pont est cassé',
  lang: null,
  position: null,
  address: { city: 'Ziguinchor', country: 'SN' },
  domainHint: null,
  externalId: randomUUID(),
  authorRef: null,
  source: 'test',
  createdAt: null,
  ...members,
})

async function enriched(members: Partial<NewExpression> = {}): Promise<QueuedExpression> {
  const expression = expressionWith(members)
  const keys = { pseudonymKey: randomBytes(32), expressionKey: randomBytes(32) }
  const identified = identify(expression, { kind: 'anonymous' }, new Date(), keys)
  return enrich(pipeline, identified, new Date(), AbortSignal.timeout(60_000))
}
async function written(members: Partial<NewExpression> = {}): Promise<QueuedExpression> {
  const queued = await enriched(members)
  await writer.take([{ rows: [queued] }])
  return queued
}

const stored = async (id: string): Promise<ExpressionDocument | undefined> => (await store.findExpressions([id]))[0]?.enrichment
const dueNow = () => database.orm.execute(sql`update expression_retry set next_at = now()`)

let running: Part | undefined
const outcomes: RetryOutcome[] = []
const retrying = async (): Promise<void> => {
  outcomes.length = 0
  running = stepRetrying({ store, retries, pipeline, log: silentLog, everyMs: 30, onRetried: (outcome) => outcomes.push(outcome) })
  await running.start(AbortSignal.timeout(60_000))
}
afterEach(async () => {
  await running?.stop()
  running = undefined
})
const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
  for (const limit = Date.now() + 60_000; !(await condition()); await sleep(50)) if (Date.now() > limit) expect.fail('it does not happen')
}

/** Failure of the place step while the geocoder is unavailable. */
const whyPlace = 'The geocoder is not available; try again: no route to host'

describe('a step that fails', () => {
  it('is stored once when one batch has its expression twice, and the sender’s values replace missing ones only', async () => {
    const id = randomUUID()
    const nothing = { lang: null, address: null, domainHint: null }
    await retries.schedule([
      { id, given: nothing },
      { id, given: nothing },
    ])
    await retries.schedule([{ id, given: { ...nothing, lang: 'fr' } }])
    await retries.schedule([{ id, given: { ...nothing, lang: 'en' } }])
    const { rows } = await database.orm.execute(sql`select given ->> 'lang' as lang from expression_retry where id = ${id}`)
    await retries.remove([id])
    expect(rows).toEqual([{ lang: 'fr' }])
  })

  it('records its cause in the metrics and in the retry, which stores the latest cause', async () => {
    unavailable.geocoder = true
    unavailable.encoder = true
    const { given } = await written()
    expect(given?.failures).toEqual({ place: whyPlace, embedding: 'unavailable' })
    const storedRows = async () =>
      (await database.orm.execute<{ failures: unknown }>(sql`select given->'failures' failures from expression_retry`)).rows
    expect(await storedRows()).toEqual([{ failures: { place: whyPlace, embedding: 'unavailable' } }])
    unavailable.encoder = false
    await dueNow()
    await retrying()
    await until(() => outcomes.length === 1)
    expect(outcomes).toEqual(['failed'])
    expect(await storedRows()).toEqual([{ failures: { place: whyPlace } }])
    const metrics = await registry.metrics()
    expect(metrics).toContain('civigraph_pipeline_step_failure_causes_total{step="place",code="ENGINE_UNAVAILABLE"} 2')
    expect(metrics).toContain('civigraph_pipeline_step_failure_causes_total{step="embedding",code="INTERNAL"} 1')
    await running?.stop()
    await database.orm.execute(sql`delete from expression_retry`)
  })

  it('leaves its block null, is retried with the sender’s values, and its retry is deleted', async () => {
    unavailable.geocoder = true
    unavailable.encoder = true
    const { document } = await written()
    expect([document.location, document.embedding, document.classification?.domain?.id]).toEqual([null, null, 'transport'])
    expect(await retries.waiting()).toBe(1)
    Object.assign(unavailable, { geocoder: false, encoder: false })
    const from = await feed.position(analyticsTopic, AbortSignal.timeout(60_000))
    await dueNow()
    await retrying()
    await until(async () => (await retries.waiting()) === 0)
    const next = await stored(document.id)
    expect(next).toMatchObject({
      location: { lat: 1, lon: 2, place: 'There' },
      embedding: { dims: 768 },
      classification: document.classification,
    })
    expect(next?.pipeline.steps.filter(({ status }) => status === 'failed')).toEqual([])
    expect(requests).toEqual([{ city: 'Ziguinchor', country: 'SN' }])
    expect((await store.findExpressions([document.id]))[0]?.embedding).toHaveLength(768)
    // subscribers learn of it from the change log
    let published: unknown
    for await (published of feed.follow(analyticsTopic, from, AbortSignal.timeout(60_000))) break
    expect(published).toMatchObject({ kind: 'expression_updated', id: document.id })
  })

  it('waits longer each time and ends as a dead letter, which can be redriven', async () => {
    unavailable.geocoder = true
    const { document } = await written()
    await retrying()
    for (let tries = 1; tries <= 8; tries++) {
      await dueNow()
      await until(() => outcomes.length === tries)
    }
    expect(outcomes).toEqual([...Array(7).fill('failed'), 'dead'])
    expect([await retries.waiting(), await store.countDeadLetters()]).toEqual([0, 1])
    expect((await store.deadLetters(1))[0]?.reason).toBe(`failed 8 times: location (place: ${whyPlace})`)
    expect(await stored(document.id)).toMatchObject({ location: null })
    unavailable.geocoder = false
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 0, waiting: 1, failed: 0 })
    await dueNow()
    await until(async () => (await stored(document.id))?.location !== null)
    expect(await store.countDeadLetters()).toBe(0)
  }, 120_000)

  it('leaves the vector unchanged, also when another encoder is in use by then', async () => {
    unavailable.geocoder = true
    const { document } = await written()
    const vectorAndModel = async () => {
      const [record] = await store.findExpressions([document.id])
      return [record?.embedding, record?.embeddingModel]
    }
    const before = await vectorAndModel()
    unavailable.geocoder = false
    model = 'another'
    await dueNow()
    await retrying()
    await until(async () => (await stored(document.id))?.location !== null)
    expect(await vectorAndModel()).toEqual(before)
  })

  it('backs off from 5 s to 6 h', () => {
    expect([0, 1, 2, 20].map((attempts) => retryDelayMs(attempts, 1))).toEqual([5000, 20_000, 80_000, 6 * 3_600_000])
    expect(retryDelayMs(1, 0)).toBe(10_000)
  })

  it('is not retried for a withdrawn expression', async () => {
    unavailable.geocoder = true
    const { document } = await written()
    await store.withdrawExpression(document.id)
    await database.orm.execute(sql`update expression_retry set attempts = 7`)
    await dueNow()
    await retrying()
    await until(async () => (await retries.waiting()) === 0)
    expect(await stored(document.id)).toBeUndefined()
  })
})

describe('a row that the store refuses', () => {
  it('becomes a dead letter without the other rows, is counted in the metrics, and is written once the store accepts it', async () => {
    const good = await written()
    const bad = { ...good, document: { ...good.document, id: randomUUID(), createdAt: '+123456-01-01T00:00:00.000Z' } }
    const other = { ...good, document: { ...good.document, id: randomUUID() } }
    await writer.take([{ rows: [bad, other] }])
    expect(await stored(other.document.id)).toBeDefined()
    expect((await store.deadLetters(5)).map(({ id }) => id)).toEqual([bad.document.id])
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 0, waiting: 0, failed: 1 })
    const text = await registry.metrics()
    expect(text).toMatch(/civigraph_writer_dead_letters_total 1/)
    expect(text).toMatch(/civigraph_expression_dead_letters 1/)
    expect(text).not.toContain(bad.document.id)
    await database.orm.execute(
      sql`update expression_dead_letter set content = jsonb_set(content, '{document,createdAt}', '"2026-01-01T00:00:00.000Z"')`,
    )
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 1, waiting: 0, failed: 0 })
    expect(await stored(bad.document.id)).toBeDefined()
  })

  it('with a failed step is written, and the step retried, when its dead letter is redriven', async () => {
    unavailable.geocoder = true
    const queued = await enriched()
    const { id } = queued.document
    await store.storeDeadLetters([{ id, content: queued, reason: 'refused' }])
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 1, waiting: 0, failed: 0 })
    expect(await stored(id)).toMatchObject({ text: 'Le pont est cassé', location: null })
    expect(await store.countDeadLetters()).toBe(0)
    unavailable.geocoder = false
    await dueNow()
    await retrying()
    await until(async () => (await stored(id))?.location?.place === 'There')
  })
})

describe('a row that cannot be read', () => {
  it('becomes a dead letter without the other rows when it has an id, and remains one until it can be read', async () => {
    const good = await enriched()
    const id = randomUUID()
    const { document, ...others } = await enriched()
    const broken = { ...others, document: { ...document, id, text: 7 }, given: { lang: null, address: null, domainHint: null } }
    await writer.take([{ rows: [broken, good] }])
    expect(await stored(good.document.id)).toBeDefined()
    expect(await store.deadLetters(5)).toMatchObject([{ id, content: broken, reason: expect.stringContaining('document.text') }])
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 0, waiting: 0, failed: 1 })
    await database.orm.execute(sql`update expression_dead_letter set content = jsonb_set(content, '{document,text}', '"Le pont"')`)
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 1, waiting: 0, failed: 0 })
    expect(await stored(id)).toMatchObject({ text: 'Le pont' })
  })

  it('and has no id leaves its message to the queue, with the other rows and messages written', async () => {
    const [good, neighbour] = [await enriched(), await enriched()]
    const strange = { rows: [{ nothing: 'known' }, good] }
    await expect(writer.take([{ rows: [neighbour] }, strange])).rejects.toThrow('one of several messages')
    expect(await stored(neighbour.document.id)).toBeUndefined()
    await expect(writer.take([strange])).rejects.toThrow('unreadable one without an id')
    expect(await stored(good.document.id)).toBeDefined()
    for (const empty of ['no message', { rows: [] }]) await expect(writer.take([empty])).rejects.toThrow('contains no expressions')
  })
})
