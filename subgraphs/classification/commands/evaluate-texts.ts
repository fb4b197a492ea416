import type { Taxonomy } from '../../../engines/analytics-store/analytics-store.ts'
import { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Geocoder } from '../../../engines/geocoder/geocoder.ts'
import type { LanguageModel } from '../../../engines/language-model/language-model.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { Pipeline } from '../analysis/pipeline.ts'
import { sentimentModel } from '../analysis/sentiment/sentiment-model.ts'
import { trainTopicModel } from '../analysis/topic/topic-model.ts'
import { shippedTaxonomy } from '../data/shipped-taxonomy.ts'
import { evaluate } from '../evaluation/evaluation.ts'
import { evaluationReport } from '../evaluation/evaluation-report.ts'
import { judgeTexts } from '../evaluation/judge-texts.ts'
import { readLabelledTexts } from '../evaluation/labelled-texts.ts'
import { asDomains } from '../taxonomy/as-domains.ts'
import { textOf } from '../taxonomy/taxonomy-file.ts'

export interface EvaluatedEngines {
  /** the shipped one when absent, or before the first publication */
  readonly taxonomy: Taxonomy | undefined
  readonly encoder: SentenceEncoder
  readonly languageModel: LanguageModel | undefined
  readonly executionProviders: readonly string[]
  readonly signal: AbortSignal
}

/** locations are not evaluated */
const noGeocoder: Geocoder = { source: 'none', locate: async () => undefined, find: async () => undefined }

/**
 * Evaluates the pipeline with a taxonomy on labelled texts and returns Markdown.
 * @throws {InvalidInput} naming the invalid row, or the place in bytes that are not UTF-8
 */
export async function evaluateTexts(content: string | Uint8Array, format: 'ndjson' | 'csv', engines: EvaluatedEngines): Promise<string> {
  const { encoder, languageModel, executionProviders, signal, taxonomy: published } = engines
  const shipped = { version: 'shipped', number: 0, domains: asDomains(shippedTaxonomy), successors: new Map() }
  const taxonomy = published === undefined || published.number === 0 ? shipped : published
  const tree = new DomainTree(taxonomy)
  const ids = tree.ids.filter((id) => tree.currentOf(id) !== null)
  const texts = readLabelledTexts(typeof content === 'string' ? content : textOf(content), format, new Set(ids)).map((text) => ({
    ...text,
    domain: tree.currentOf(text.domain) ?? text.domain,
  }))
  const model = await trainTopicModel(taxonomy, encoder, executionProviders, signal)
  const sentiment = sentimentModel(executionProviders)
  await sentiment()
  const pipeline = new Pipeline({
    topics: { model: async () => model },
    encoder,
    geocoder: noGeocoder,
    sentiment,
    languageModel,
  })
  const report = evaluationReport(evaluate(await judgeTexts(pipeline, texts, signal), (id) => model.tree.domainOf(id)))
  return taxonomy === shipped ? report : `Taxonomy: published version ${taxonomy.number}\n\n${report}`
}

/** Reads the published taxonomy for an evaluation. */
export const publishedTaxonomy = (engines: { readonly database: Database; readonly feed: EventFeed }): Promise<Taxonomy> =>
  postgresAnalyticsStore(engines).readTaxonomy()
