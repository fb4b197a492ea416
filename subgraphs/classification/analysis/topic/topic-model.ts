import type { Taxonomy, TaxonomyDomain } from '../../../../engines/analytics-store/analytics-store.ts'
import { DomainTree } from '../../../../engines/analytics-store/domain-tree.ts'
import { encodeAll, type SentenceEncoder } from '../../../../engines/sentence-encoder/sentence-encoder.ts'
import { likenessTo } from '../../../../engines/text-classifier/likeness-model.ts'
import { type LabelledText, type TextClassifier, trainTextClassifier } from '../../../../engines/text-classifier/text-classifier.ts'
import type { TrainOnce } from '../../../../engines/text-classifier/training-cache.ts'
import type { EmbeddedExamples } from './nearest-examples.ts'

/** A classifier for one version of the taxonomy. */
export interface TopicModel {
  readonly taxonomyVersion: string
  /** number of the published version */
  readonly taxonomyNumber: number
  readonly tree: DomainTree
  readonly neural: TextClassifier
  readonly examples: EmbeddedExamples
}

/** a single term weighs less than a sentence */
const wordWeight = 0.6
const labelWeight = 1

const phrasesOf = ({ examples }: TaxonomyDomain): readonly string[] => Object.values(examples).flat()
const termsOf = ({ words }: TaxonomyDomain): readonly string[] =>
  Object.values(words).flatMap((terms) => terms.split(' ').filter((term) => term !== ''))

/** Returns the training texts of a sub-domain, or of a domain without sub-domains. */
export function trainingTexts(domains: readonly TaxonomyDomain[]): readonly LabelledText[] {
  const parents = new Set(domains.map(({ parentId }) => parentId))
  return domains
    .filter(({ id, parentId }) => parentId !== null || !parents.has(id))
    .flatMap((domain) => [
      ...phrasesOf(domain).map((text) => ({ text, label: domain.id, weight: 1 })),
      ...Object.values(domain.labels).map((text) => ({ text, label: domain.id, weight: labelWeight })),
      ...termsOf(domain).map((text) => ({ text, label: domain.id, weight: wordWeight })),
    ])
}

/** Returns the texts that are compared with an expression by their vectors. */
export const examplesOf = (domains: readonly TaxonomyDomain[]): readonly { readonly domain: string; readonly text: string }[] =>
  domains.flatMap((domain) => [...phrasesOf(domain), ...Object.values(domain.words)].map((text) => ({ domain: domain.id, text })))

/** Trains on a taxonomy: about a second for a thousand phrases. @param once - by default once on this machine */
export async function trainTopicModel(
  taxonomy: Taxonomy,
  encoder: SentenceEncoder,
  executionProviders: readonly string[],
  signal: AbortSignal,
  once?: TrainOnce,
): Promise<TopicModel> {
  const neural = await trainTextClassifier(trainingTexts(taxonomy.domains), 'topic', executionProviders, { signal, ...(once && { once }) })
  const examples = examplesOf(taxonomy.domains)
  const vectors = await encodeAll(
    encoder,
    examples.map(({ text }) => text),
    signal,
  )
  return {
    taxonomyVersion: taxonomy.version,
    taxonomyNumber: taxonomy.number,
    tree: new DomainTree(taxonomy),
    neural,
    examples: { domains: examples.map(({ domain }) => domain), likeness: await likenessTo(vectors, executionProviders) },
  }
}
