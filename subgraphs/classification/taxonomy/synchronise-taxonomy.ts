import { createHash, randomUUID } from 'node:crypto'
import type { AnalyticsStore, TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import type { IndexedPhrase, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { encodeAll, type SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { type CommitWindow, combinedWindow } from '../../../foundation/concurrency/deadline.ts'
import { Fault } from '../../../foundation/fault.ts'
import { shippedTaxonomy } from '../data/shipped-taxonomy.ts'
import { asDomains } from './as-domains.ts'

export interface SynchronisationResult {
  readonly version: string
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
  /** phrases whose vectors were computed again */
  readonly reEmbedded: number
  readonly durationMs: number
}

export interface TaxonomyEngines {
  readonly store: Pick<AnalyticsStore, 'readTaxonomy' | 'publishTaxonomy'>
  readonly index: SearchIndex
  readonly keyValue: KeyValue
  readonly encoder: SentenceEncoder
}

const lock = 'taxonomy:synchronising'
/** phrases in one request to the index; an interrupted synchronisation continues after the last one */
const phrasesAtOnce = 1000
/** longer than a domain takes */
const lockTtlMs = 120_000
const beingSynchronised = (): Fault => new Fault('CONFLICT', 'The taxonomy is already being synchronised: try again later')

/** Fingerprint of a domain in the index, including the model of its vectors. */
const fingerprintOf = (domain: TaxonomyDomain, model: string): string =>
  createHash('sha256')
    .update(JSON.stringify([model, domain.labels, domain.examples, domain.words]))
    .digest('hex')

/** Publishes the shipped taxonomy on a new platform; an existing taxonomy stays. */
export async function seedTaxonomy(store: TaxonomyEngines['store']): Promise<void> {
  const { domains, number } = await store.readTaxonomy()
  if (number > 0) return
  const first = {
    domains: domains.length > 0 ? domains : asDomains(shippedTaxonomy),
    author: 'civigraph',
    note: 'Taxonomy of the release',
    base: number,
  }
  await store.publishTaxonomy(first).catch((error: unknown) => {
    // another process, or an import, has just published one
    if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error
  })
}

/**
 * Copies the taxonomy from the analytics database to the search index.
 * @param window - limits of the request: writes that would come too late are omitted
 * @throws {Fault} CONFLICT while another synchronisation runs  @throws {EngineUnavailable} {DeadlineExceeded}
 */
export async function synchroniseTaxonomy(
  engines: TaxonomyEngines,
  signal: AbortSignal,
  window: CommitWindow = combinedWindow([]),
): Promise<SynchronisationResult> {
  const { store, index, keyValue, encoder } = engines
  const own = randomUUID()
  if (!(await keyValue.setIfAbsent(lock, own, lockTtlMs))) throw beingSynchronised()
  const isOwn = async (): Promise<boolean> => ((await keyValue.get(lock)) ?? own) === own
  try {
    const from = performance.now()
    const [{ version, domains }, indexed] = [await store.readTaxonomy(), await index.taxonomy()]
    const fingerprints = new Map(domains.map((domain) => [domain.id, fingerprintOf(domain, encoder.model)]))
    const added = domains.filter(({ id }) => !indexed.has(id))
    const updated = domains.filter(({ id }) => indexed.has(id) && indexed.get(id) !== fingerprints.get(id))
    const removed = [...indexed.keys()].filter((id) => !fingerprints.has(id))
    let reEmbedded = 0
    let waiting: { readonly ids: string[]; readonly phrases: IndexedPhrase[] } = { ids: [...removed], phrases: [] }
    const put = async (): Promise<void> => {
      const { ids, phrases } = waiting
      waiting = { ids: [], phrases: [] }
      if (ids.length > 0) await window.commit(() => index.putPhrases(ids, phrases))
    }
    for (const { id, labels, examples } of [...added, ...updated]) {
      const texts = [...Object.values(labels), ...Object.values(examples).flat()]
      const fingerprint = fingerprints.get(id) ?? ''
      for (const [n, embedding] of (await encodeAll(encoder, texts, signal)).entries())
        waiting.phrases.push({ id: `${id}#${n}`, domain: id, fingerprint, text: texts[n] ?? '', embedding })
      waiting.ids.push(id)
      reEmbedded += texts.length
      if (waiting.phrases.length >= phrasesAtOnce) await put()
      if (!(await isOwn())) throw beingSynchronised()
      await keyValue.set(lock, own, lockTtlMs)
    }
    await put()
    return {
      version,
      added: added.length,
      updated: updated.length,
      removed: removed.length,
      unchanged: domains.length - added.length - updated.length,
      reEmbedded,
      durationMs: Math.round((performance.now() - from) * 1000) / 1000,
    }
  } finally {
    if (await isOwn().catch(() => false)) await keyValue.delete(lock).catch(() => undefined)
  }
}
