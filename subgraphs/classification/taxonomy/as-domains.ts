import type { TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import type { ExampleSentences } from '../data/example-sentences.ts'
import type { Domain } from '../data/shipped-taxonomy.ts'

/** Converts the shipped taxonomy to rows of the analytics store, one for each domain and sub-domain. */
export function asDomains(sources: readonly Domain[]): readonly TaxonomyDomain[] {
  return sources.flatMap(({ id, label, subDomains }, position) => [
    { id, parentId: null, slug: id, position, labels: label, examples: {}, words: {} },
    ...subDomains.map(({ slug, label: labels, examples, words }, index) => ({
      id: `${id}/${slug}`,
      parentId: id,
      slug,
      position: index,
      labels,
      examples: { fr: phrasesOf(examples.fr), en: phrasesOf(examples.en), ar: phrasesOf(examples.ar) },
      words,
    })),
  ])
}

const phrasesOf = ({ negative, neutral, positive }: ExampleSentences): readonly string[] => [...negative, ...neutral, ...positive]
