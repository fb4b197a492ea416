import type { Geocoder } from '../../../engines/geocoder/geocoder.ts'
import type { LanguageModel } from '../../../engines/language-model/language-model.ts'
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

export interface EvaluatedEngines {
  readonly encoder: SentenceEncoder
  readonly languageModel: LanguageModel | undefined
  readonly executionProviders: readonly string[]
  readonly signal: AbortSignal
}

/** locations are not evaluated */
const nowhere: Geocoder = { source: 'none', locate: async () => undefined, find: async () => undefined }

/**
 * Evaluates the pipeline with the shipped taxonomy on labelled texts and returns Markdown.
 * @throws {InvalidInput} naming the invalid row
 */
export async function evaluateTexts(content: string, format: 'ndjson' | 'csv', engines: EvaluatedEngines): Promise<string> {
  const { encoder, languageModel, executionProviders, signal } = engines
  const taxonomy = { version: 'shipped', number: 0, domains: asDomains(shippedTaxonomy), successors: new Map() }
  const texts = readLabelledTexts(content, format, new Set(taxonomy.domains.map(({ id }) => id)))
  const model = await trainTopicModel(taxonomy, encoder, executionProviders, signal)
  const sentiment = sentimentModel(executionProviders)
  await sentiment()
  const pipeline = new Pipeline({
    topics: { model: async () => model },
    encoder,
    geocoder: nowhere,
    sentiment,
    languageModel,
  })
  return evaluationReport(evaluate(await judgeTexts(pipeline, texts, signal), (id) => model.tree.domainOf(id)))
}
