import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnalyticsStore, RetiredDomains, type TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { LeaseLost } from '../../../engines/relational/leadership/lease.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Fault } from '../../../foundation/fault.ts'
import { silentLog } from '../../../foundation/log.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import { saveWithCurrentDomains } from '../../../subgraphs/classification/expression/current-domains.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { earlierContent, publishContent, publishedContent } from '../../../subgraphs/classification/taxonomy/published-content.ts'
import { runJob } from '../../../subgraphs/classification/taxonomy/reclassify.ts'
import { synchroniseTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { TaxonomyDrafts } from '../../../subgraphs/classification/taxonomy/taxonomy-drafts.ts'
import type { TaxonomyEdit } from '../../../subgraphs/classification/taxonomy/taxonomy-edits.ts'
import { TaxonomyJobs } from '../../../subgraphs/classification/taxonomy/taxonomy-jobs.ts'
import { expressionRecord } from '../../contracts/analytics-store/analytics-store.contract.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'

const encoder = projectionEncoder()
const signal = AbortSignal.timeout(300_000)
const nothing = async (): Promise<void> => undefined
let database: Database
let store: AnalyticsStore<ExpressionDocument>
let drafts: TaxonomyDrafts
let jobs: TaxonomyJobs
let topics: TopicTrainer
let index: ReturnType<typeof lanceSearchIndex>
let end: () => Promise<unknown>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-taxonomy-'))
  index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
  for (const each of [feed, index]) await each.start(AbortSignal.timeout(60_000))
  store = postgresAnalyticsStore({ database, feed })
  drafts = new TaxonomyDrafts(database, store)
  jobs = new TaxonomyJobs(database)
  topics = new TopicTrainer(store, encoder, ['cpu'])
  end = async () => {
    for (const each of [index, feed]) await each.stop()
    await rm(folder, { recursive: true, force: true })
    await opened[Symbol.asyncDispose]()
  }
  await store.publishTaxonomy({ domains: first, author: 'tests', note: 'first' })
})
afterAll(() => end?.())

const domain = (id: string, parentId: string | null, position: number, phrases: readonly string[] = []): TaxonomyDomain => ({
  ...{ id, parentId, slug: id, position, descriptions: {}, words: {} },
  labels: { fr: `Domaine ${id}`, en: `Domain ${id}` },
  examples: phrases.length === 0 ? {} : { fr: phrases },
})
const first: readonly TaxonomyDomain[] = [
  domain('trade', null, 0),
  domain('health', null, 1),
  domain('food', 'trade', 0, ['Le riz est trop cher au marché', 'Le prix du mil augmente']),
  domain('stalls', 'trade', 1, ['La taxe des étals du marché double', 'Les étals du marché débordent sur la route']),
  domain('care', 'health', 0, ['Le médecin est absent', 'L’hôpital manque de lits']),
]

async function edit(change: TaxonomyEdit, author = 'a'): Promise<void> {
  const { revision } = await drafts.read()
  await drafts.edit({ edit: change, revision, author }, nothing)
}

async function publish(note = 'n'): Promise<number> {
  const { base, revision, content, changed } = await drafts.read()
  if (changed === null) throw new Fault('CONFLICT', 'The draft changes nothing')
  return publishContent({ store, database }, { base, content, note, author: 'a' }, (tx) => drafts.clear(tx, revision, 'a'))
}

async function rollBack(version: number): Promise<number> {
  const { number: base } = await publishedContent(store)
  const content = (await earlierContent(store, version)) ?? { domains: [], successors: {} }
  return publishContent({ store, database }, { base, content, note: 'back', author: 'a' }, nothing)
}

/** Classified documents as the pipeline stores them. */
async function save(
  text: string,
  decided: string,
  parent: string,
  members: Partial<NonNullable<ExpressionDocument['classification']>> = {},
): Promise<string> {
  const id = randomUUID()
  const of = (each: string) => ({ id: each, label: each, score: 1 })
  const classification = {
    domain: of(parent),
    subDomain: decided === parent ? null : of(decided),
    candidates: [],
    model: 'm',
    taxonomyNumber: 1,
  }
  const document = expressionDocument({ id, text, classification: { method: 'neural', ...classification, ...members } })
  await store.saveExpressions([
    {
      ...expressionRecord(),
      id,
      text,
      domain: parent,
      subDomain: decided === parent ? null : decided,
      enrichment: document,
      embedding: null,
      embeddingModel: null,
    },
  ])
  return id
}

async function decidedOf(id: string): Promise<readonly (string | null)[]> {
  const [record] = await store.findExpressions([id])
  return [record?.domain ?? null, record?.subDomain ?? null]
}

/** Does all waiting jobs. */
async function work(mayWrite: () => void = () => undefined): Promise<void> {
  for (let job = await jobs.next(['outdated', 'reclassify']); job !== undefined; job = await jobs.next(['outdated', 'reclassify']))
    await runJob({ database, store, jobs, topics, encoder, log: silentLog }, job, mayWrite, signal)
}

/** Expects that database, model and index have the published version. */
async function expectAgreement(): Promise<void> {
  const { content } = await publishedContent(store)
  const taxonomy = await store.readTaxonomy()
  const byId = (domains: readonly TaxonomyDomain[]) => new Map(domains.map((each) => [each.id, each]))
  expect(byId(taxonomy.domains)).toEqual(byId(content.domains))
  await topics.refresh()
  const model = await topics.model()
  expect([model.taxonomyVersion, model.taxonomyNumber]).toEqual([taxonomy.version, taxonomy.number])
  const ids = content.domains.map(({ id }) => id)
  expect([...model.tree.domains.keys()].sort()).toEqual([...ids].sort())
  for (const [id, successor] of taxonomy.successors) expect([id, successor === null || ids.includes(successor)]).toEqual([id, true])
  await synchroniseTaxonomy({ store, index, keyValue: memoryKeyValue({ clock: systemClock }), encoder }, signal)
  expect([...(await index.taxonomy()).keys()].sort()).toEqual([...ids].sort())
}

describe('the taxonomy', () => {
  it('gets a new domain with two sub-domains, whose expressions follow, and can be rolled back', async () => {
    const [moved, kept] = [await save('Le riz est cher', 'food', 'trade'), await save('Le médecin est absent', 'care', 'health')]
    await edit({ kind: 'add', id: 'markets', parentId: null, labels: { fr: 'Marchés' } })
    await edit({ kind: 'move', id: 'food', parentId: 'markets' })
    await edit({ kind: 'move', id: 'stalls', parentId: 'markets' })
    expect(await publish()).toBe(2)
    expect((await drafts.read()).changed).toBeNull()
    await work()
    expect(await decidedOf(moved)).toEqual(['markets', 'food'])
    expect(await decidedOf(kept)).toEqual(['health', 'care'])
    await expectAgreement()
    const corrected = await save('Rien', 'markets', 'markets', { method: 'hint', correctedAt: '2026-01-01T00:00:00.000Z' })
    expect(await rollBack(1)).toBe(3)
    await work()
    expect(await decidedOf(moved)).toEqual(['trade', 'food'])
    // a correction by a person stays, although its domain is retired without a successor
    expect(await decidedOf(corrected)).toEqual(['markets', null])
    await expectAgreement()
  })

  it('moves expressions and corrections of a merged domain to its successor, and classifies those of a domain without one', async () => {
    const [machine, person] = [
      await save('La taxe des étals du marché', 'stalls', 'trade'),
      await save('x', 'stalls', 'trade', { correctedAt: '2026-01-01T00:00:00.000Z' }),
    ]
    await edit({ kind: 'merge', id: 'stalls', into: 'food' })
    await publish()
    await work()
    for (const id of [machine, person]) expect(await decidedOf(id)).toEqual(['trade', 'food'])
    expect((await store.readTaxonomy()).successors.get('stalls')).toBe('food')
    await edit({ kind: 'retire', id: 'food', successorId: null })
    await publish()
    await work()
    expect(await decidedOf(person)).toEqual(['trade', 'food'])
    expect((await decidedOf(machine))[1]).not.toBe('food')
    const corrections = await store.correctedExpressions({ limit: 10 })
    expect(corrections.map(({ id }) => id)).toContain(person)
    await rollBack(1)
    await work()
    await expectAgreement()
  })

  it('refuses a retired domain at the moment of writing, and writes its successor instead', async () => {
    await edit({ kind: 'merge', id: 'food', into: 'stalls' })
    await publish()
    const record = { ...expressionRecord(), domain: 'trade', subDomain: 'food' }
    const of = (id: string) => ({ id, label: id, score: 1 })
    const enrichment = expressionDocument({
      id: record.id,
      classification: { domain: of('trade'), subDomain: of('food'), method: 'neural', candidates: [{ id: 'trade', score: 1 }], model: 'm' },
    })
    await expect(store.saveExpressions([{ ...record, enrichment }], undefined, { onlyCurrentDomains: true })).rejects.toBeInstanceOf(
      RetiredDomains,
    )
    expect(await store.findExpressions([record.id])).toEqual([])
    await saveWithCurrentDomains(store, [{ ...record, enrichment }])
    expect(await decidedOf(record.id)).toEqual(['trade', 'stalls'])
    await rollBack(1)
    await work()
  })

  it('is published once when two administrators publish at once, and refuses an edit of a domain that another has changed', async () => {
    const { revision } = await drafts.read()
    await drafts.edit({ edit: { kind: 'update', id: 'care', labels: { fr: 'Soins' } }, revision, author: 'one' }, nothing)
    await expect(
      drafts.edit({ edit: { kind: 'update', id: 'care', labels: { fr: 'Cure' } }, revision, author: 'two' }, nothing),
    ).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('one has changed care') })
    await drafts.edit({ edit: { kind: 'update', id: 'trade', labels: { fr: 'Négoce' } }, revision, author: 'two' }, nothing)
    const before = await store.countTaxonomyVersions()
    const results = await Promise.allSettled([publish(), publish(), publish()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of results) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'CONFLICT' })
    expect(await store.countTaxonomyVersions()).toBe(before + 1)
    expect((await store.readTaxonomy()).domains.find(({ id }) => id === 'trade')?.labels).toEqual({ fr: 'Négoce' })
    await work()
  })

  it('is published completely or not at all', async () => {
    await edit({ kind: 'add', id: 'justice', parentId: null, labels: { fr: 'Justice' } })
    const before = await store.readTaxonomy()
    const { base, content } = await drafts.read()
    const crash = async (): Promise<void> => {
      throw new Error('killed')
    }
    await expect(publishContent({ store, database }, { base, content, note: 'n', author: 'a' }, crash)).rejects.toThrow('killed')
    expect(await store.readTaxonomy()).toEqual(before)
    expect(await jobs.next(['outdated'])).toBeUndefined()
    await publish()
    await work()
  })

  it('classifies stored expressions again where another worker has stopped, and never a correction', async () => {
    const ids: string[] = []
    for (let n = 0; n < 30; n++) ids.push(await save(`Le médecin est absent ${n}`, 'justice', 'justice'))
    const person = await save('Le médecin est absent', 'justice', 'justice', { correctedAt: '2026-01-01T00:00:00.000Z' })
    const { number: version } = await store.readTaxonomy()
    const id = await jobs.begin(database.orm, {
      kind: 'reclassify',
      author: 'a',
      version,
      filter: { domains: ['justice'], outdatedOnly: true },
      rate: 50,
    })
    let batches = 0
    await expect(
      work(() => {
        if (++batches > 2) throw new LeaseLost('re-classification')
      }),
    ).rejects.toBeInstanceOf(LeaseLost)
    const [half] = await jobs.find([id])
    expect(half).toMatchObject({ state: 'running', examined: 20 })
    await work()
    const [done] = await jobs.find([id])
    expect(done).toMatchObject({ state: 'done', examined: 31, changed: 30, kept: 1, total: 31 })
    for (const each of ids) expect(await decidedOf(each)).toEqual(['health', 'care'])
    expect(await decidedOf(person)).toEqual(['justice', null])
  })

  it('agrees in database, model and index after any sequence of edits, publications and roll backs', async () => {
    let seed = 11
    const pick = (count: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
      return seed % count
    }
    for (let n = 0; n < 24; n++) {
      const { content } = await drafts.read()
      const ids = content.domains.map(({ id }) => id)
      const [id = '', other = ''] = [ids[pick(ids.length)], ids[pick(ids.length)]]
      const edits: readonly TaxonomyEdit[] = [
        {
          kind: 'add',
          id: `n${n}`,
          parentId: pick(2) === 0 ? null : other,
          labels: { fr: `Nouveau ${n}` },
          examples: { fr: [`phrase ${n}`] },
        },
        { kind: 'move', id, parentId: pick(3) === 0 ? null : other },
        { kind: 'merge', id, into: other },
        { kind: 'retire', id, successorId: pick(2) === 0 ? null : other },
        { kind: 'update', id, labels: { fr: `Autre ${n}` } },
      ]
      await edit(edits[pick(edits.length)] ?? { kind: 'move', id, parentId: null }).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'BAD_USER_INPUT' }),
      )
      if (n % 4 === 2 && (await drafts.read()).changed !== null) await publish()
      if (n % 8 === 7) {
        const { revision, changed } = await drafts.read()
        if (changed !== null) await drafts.discard(revision, 'a', nothing)
        await rollBack(1 + pick(await store.countTaxonomyVersions()))
      }
      if (n % 4 === 2 || n % 8 === 7) {
        await work()
        await expectAgreement()
      }
    }
  }, 120_000)
})
