import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../engines/relational/database.ts'
import { sharedTraining } from '../../../engines/text-classifier/shared-training.ts'
import { trainTextClassifier } from '../../../engines/text-classifier/text-classifier.ts'
import type { Train } from '../../../engines/text-classifier/training-cache.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

let database: Database
let end: () => Promise<unknown>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  end = async () => opened[Symbol.asyncDispose]()
})
afterAll(() => end?.())

const signal = AbortSignal.timeout(60_000)
let trainings = 0
/** A process on a machine without files of earlier trainings. */
const processOf = (purpose: 'published' | 'draft' = 'published') => sharedTraining(database, purpose, (task, train) => train(task))
const counted: Train = async ({ texts }) => {
  trainings++
  await new Promise((resolve) => setTimeout(resolve, 50))
  return {
    graph: Uint8Array.of(texts.length),
    labels: texts.map(({ label }) => label),
    textCount: texts.length,
    documentFrequency: { hashes: new Int32Array(2), counts: new Float64Array(2) },
  }
}
const taskOf = (label: string) => ({ texts: [{ text: 'a', label, weight: 1 }], grams: 'topic', buckets: 16 }) as const

it('is done once by several processes, which all have the result', async () => {
  trainings = 0
  const results = await Promise.all([1, 2, 3].map(() => processOf()(taskOf('once'), counted, signal)))
  expect(trainings).toBe(1)
  expect(results.map(({ labels }) => labels)).toEqual([['once'], ['once'], ['once']])
  const later = await processOf('draft')(taskOf('once'), counted, signal)
  expect([trainings, later.documentFrequency.counts]).toEqual([1, new Float64Array(2)])
})

it('is continued by another process when the first one fails', async () => {
  trainings = 0
  const failing = processOf()(taskOf('other'), () => Promise.reject(new Error('killed')), signal)
  await expect(failing).rejects.toThrow('killed')
  expect((await processOf()(taskOf('other'), counted, signal)).labels).toEqual(['other'])
  expect(trainings).toBe(1)
})

it('is done again when the stored bytes are damaged', async () => {
  trainings = 0
  await processOf()(taskOf('damaged'), counted, signal)
  await database.pool.query(`update text_classifier set content = '\\x00'`)
  expect((await processOf()(taskOf('damaged'), counted, signal)).labels).toEqual(['damaged'])
  expect(trainings).toBe(2)
})

it('keeps what is published beside any number of drafts', async () => {
  await processOf()(taskOf('published'), counted, signal)
  for (let n = 0; n < 6; n++) await processOf('draft')(taskOf(`draft ${n}`), counted, signal)
  trainings = 0
  await processOf()(taskOf('published'), counted, signal)
  expect(trainings).toBe(0)
  const { rows } = await database.pool.query("select count(*)::int as count from text_classifier where purpose = 'draft'")
  expect(rows).toEqual([{ count: 4 }])
})

it('answers as the process that trained', async () => {
  const texts = ['Le médecin est absent', 'Le bus est en retard'].map((text, index) => ({ text, label: `l${index}`, weight: 1 }))
  const [first, second] = [
    await trainTextClassifier(texts, 'topic', ['cpu'], { once: processOf(), signal }),
    await trainTextClassifier(texts, 'topic', ['cpu'], { once: processOf(), signal }),
  ]
  expect(await second.classify('Un médecin')).toEqual(await first.classify('Un médecin'))
})
