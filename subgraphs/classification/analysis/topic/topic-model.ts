import type { Taxonomy, TaxonomyDomain } from '../../../../engines/analytics-store/analytics-store.ts'
import { encodeAll, type SentenceEncoder } from '../../../../engines/sentence-encoder/sentence-encoder.ts'
import { likenessTo } from '../../../../engines/text-classifier/likeness-model.ts'
import { type LabelledText, type TextClassifier, trainTextClassifier } from '../../../../engines/text-classifier/text-classifier.ts'
import type { EmbeddedExamples } from './nearest-examples.ts'

/** A classifier for one version of the taxonomy. */
export interface TopicModel {
  readonly taxonomyVersion: string
  readonly domains: ReadonlyMap<string, TaxonomyDomain>
  readonly neural: TextClassifier
  readonly examples: EmbeddedExamples
}

/** a single term weighs less than a sentence */
const wordWeight = 0.6
const labelWeight = 1

const phrasesOf = ({ examples }: TaxonomyDomain): readonly string[] => Object.values(examples).flat()
const termsOf = ({ words }: TaxonomyDomain): readonly string[] => Object.values(words).flatMap((terms) => terms.split(' '))

/** Returns the training texts of a sub-domain, or of a domain without sub-domains. */
export function trainingTexts(domains: readonly TaxonomyDomain[]): readonly LabelledText[] {
  return domains
    .filter(({ id, parentId }) => parentId !== null || !domains.some((other) => other.parentId === id))
    .flatMap((domain) => [
      ...phrasesOf(domain).map((text) => ({ text, label: domain.id, weight: 1 })),
      ...Object.values(domain.labels).map((text) => ({ text, label: domain.id, weight: labelWeight })),
      ...termsOf(domain).map((text) => ({ text, label: domain.id, weight: wordWeight })),
    ])
}

/** Trains on a taxonomy: about a second for a thousand phrases. */
export async function trainTopicModel(
  taxonomy: Taxonomy,
  encoder: SentenceEncoder,
  executionProviders: readonly string[],
  signal: AbortSignal,
): Promise<TopicModel> {
  const neural = await trainTextClassifier(trainingTexts(taxonomy.domains), 'topic', executionProviders)
  const examples = taxonomy.domains.flatMap((domain) =>
    [...phrasesOf(domain), ...Object.values(domain.words)].map((text) => ({ domain: domain.id, text })),
  )
  const vectors = await encodeAll(
    encoder,
    examples.map(({ text }) => text),
    signal,
  )
  return {
    taxonomyVersion: taxonomy.version,
    domains: new Map(taxonomy.domains.map((each) => [each.id, each])),
    neural,
    examples: { domains: examples.map(({ domain }) => domain), likeness: await likenessTo(vectors, executionProviders) },
  }
}
