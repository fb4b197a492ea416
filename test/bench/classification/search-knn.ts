import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import type { IndexedExpression, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { embeddingSize } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { randomFrom } from '../../support/samples/random.ts'
import type { Benchmark, Variant } from '../support/harness.ts'

const rows = Number(process.env.ROWS ?? 100_000)
const questions = 100
const nearest = 10
const atOnce = 2000
const domains = ['health', 'education', 'transport', 'energy', 'justice-rights']
const { ELASTICSEARCH_URL: elasticsearchUrl } = process.env

export const searchKnn: Benchmark = {
  name: 'search-knn',
  about: `the ${nearest} nearest of ${rows.toLocaleString('en')} vectors of ${embeddingSize} numbers, ${questions} questions one after another, without and with a filter that a fifth of the vectors pass; milliseconds`,
  target: `p95 under 30 ms, recall@${nearest} at least 0.95 against an exhaustive scan`,
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    const dataset = makeVectors()
    const truth = dataset.questions.map((question) => exactly(question, dataset.vectors, () => true))
    const filtered = dataset.questions.map((question) => exactly(question, dataset.vectors, (n) => n % domains.length === 0))
    const open: [string, SearchIndex & Part, () => Promise<unknown>][] = []
    const folder = await mkdtemp(join(tmpdir(), 'civigraph-bench-'))
    const clean = () => rm(folder, { recursive: true, force: true })
    open.push(['LanceDB', lanceSearchIndex({ folder, generation: 'bench', log: silentLog }), clean])
    if (elasticsearchUrl === undefined) print('Elasticsearch is skipped: ELASTICSEARCH_URL is not set')
    else {
      const index = elasticSearchIndex({ url: elasticsearchUrl, prefix: `bench-${process.pid}`, generation: 'bench', log: silentLog })
      const removeAll = () => fetch(`${elasticsearchUrl}/bench-${process.pid}-*?expand_wildcards=all`, { method: 'DELETE' })
      open.push(['Elasticsearch', index, removeAll])
    }
    const variants: Variant[] = []
    for (const [name, index, clear] of open) {
      await index.start(AbortSignal.timeout(20_000))
      await fill(name, index, dataset.vectors, print)
      const stop = async (): Promise<void> => {
        await index.stop()
        await clear()
      }
      variants.push({ name, measure: () => measure(index, dataset.questions, truth, filtered), stop })
    }
    return variants
  },
}

async function fill(name: string, index: SearchIndex, vectors: readonly Float32Array[], print: (line: string) => void): Promise<void> {
  const from = performance.now()
  const next = await index.rebuild()
  for (let start = 0; start < vectors.length; start += atOnce)
    await next.put(vectors.slice(start, start + atOnce).map((vector, n) => expressionOf(start + n, vector)))
  const filled = performance.now()
  await next.publish()
  const seconds = (ms: number): string => (ms / 1000).toFixed(1)
  print(`${name}: ${vectors.length} filled in ${seconds(filled - from)} s, published in ${seconds(performance.now() - filled)} s`)
}

const idOf = (n: number): string => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`

function expressionOf(n: number, embedding: Float32Array): IndexedExpression {
  return {
    id: idOf(n),
    text: `Expression ${n}`,
    lang: 'fr',
    domain: domains[n % domains.length] ?? null,
    subDomain: null,
    sentiment: 'neutral',
    position: { lat: (n % 170) - 85, lon: (n % 350) - 175 },
    createdAt: new Date(0),
    embedding,
    document: JSON.stringify({ id: idOf(n), text: `Expression ${n}` }),
    version: 1,
  }
}

async function measure(
  index: SearchIndex,
  queries: readonly Float32Array[],
  truth: readonly ReadonlySet<string>[],
  filtered: readonly ReadonlySet<string>[],
): Promise<Readonly<Record<string, number>>> {
  const run = async (expected: readonly ReadonlySet<string>[], filter: { readonly domains?: readonly string[] }) => {
    const times: number[] = []
    let matches = 0
    for (const [n, question] of queries.entries()) {
      const from = performance.now()
      const hits = await index.near(question, { filter, limit: nearest })
      times.push(performance.now() - from)
      matches += hits.filter(({ id }) => expected[n]?.has(id)).length
    }
    times.sort((a, b) => a - b)
    const at = (share: number): number => times[Math.floor(share * times.length)] ?? Number.NaN
    return { p50: at(0.5), p95: at(0.95), recall: (100 * matches) / (queries.length * nearest) }
  }
  const free = await run(truth, {})
  const narrow = await run(filtered, { domains: [domains[0] ?? ''] })
  return {
    p50: free.p50,
    p95: free.p95,
    'recall %': free.recall,
    'filtered p50': narrow.p50,
    'filtered p95': narrow.p95,
    'filtered recall %': narrow.recall,
  }
}

/**
 * Unit vectors distributed like those of sentence encoders: about a thousand subjects, a few dozen relevant directions in each, and some
 * noise. Uniform random vectors have no near neighbours and are harder than any text. Every run generates the same vectors.
 */
function makeVectors(): { readonly vectors: readonly Float32Array[]; readonly questions: readonly Float32Array[] } {
  const [subjects, directions, spread, noise] = [1000, 48, 0.8, 0.02]
  const normal = normalNumbers(7)
  const random = (length: number): Float32Array => Float32Array.from({ length }, normal)
  const centres = Array.from({ length: subjects }, () => unit(random(embeddingSize)))
  const basis = Array.from({ length: directions }, () => unit(random(embeddingSize)))
  const one = (): Float32Array => {
    const vector = Float32Array.from(centres[Math.floor(Math.abs(normal()) * 1e6) % subjects] ?? [], (value) => value + noise * normal())
    for (const direction of basis) {
      const share = (spread * normal()) / Math.sqrt(directions)
      for (let place = 0; place < embeddingSize; place++) vector[place] = (vector[place] ?? 0) + share * (direction[place] ?? 0)
    }
    return unit(vector)
  }
  return { vectors: Array.from({ length: rows }, one), questions: Array.from({ length: questions }, one) }
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  return vector.map((value) => value / length)
}

/** Sum of four uniform values: an approximation of the normal distribution. */
function normalNumbers(seed: number): () => number {
  const even = randomFrom(seed)
  return () => (even() + even() + even() + even() - 2) * Math.sqrt(3)
}

/** Ids of the nearest vectors, by an exhaustive scan. */
function exactly(question: Float32Array, vectors: readonly Float32Array[], counts: (n: number) => boolean): ReadonlySet<string> {
  const best: { readonly n: number; readonly likeness: number }[] = []
  for (const [n, vector] of vectors.entries()) {
    if (!counts(n)) continue
    let likeness = 0
    for (let place = 0; place < embeddingSize; place++) likeness += (vector[place] ?? 0) * (question[place] ?? 0)
    if (best.length === nearest && likeness <= (best.at(-1)?.likeness ?? 1)) continue
    best.splice(best.findLastIndex((other) => other.likeness >= likeness) + 1, 0, { n, likeness })
    best.length = Math.min(best.length, nearest)
  }
  return new Set(best.map(({ n }) => idOf(n)))
}
