import type { TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import type { ExampleSentences } from '../data/example-sentences.ts'
import type { Domain } from '../data/shipped-taxonomy.ts'

/** Converts the shipped taxonomy to rows of the analytics store, one for each domain and sub-domain. */
export function asDomains(sources: readonly Domain[]): readonly TaxonomyDomain[] {
  return sources.flatMap(({ id: parentId, labels, subDomains }, position) => [
    { id: parentId, parentId: null, slug: parentId, position, labels, descriptions: {}, examples: {}, words: {} },
    ...subDomains.map(({ id, slug, labels, examples, words }, index) => ({
      id,
      parentId,
      slug,
      position: index,
      labels,
      descriptions: {},
      examples: { fr: phrasesOf(examples.fr), en: phrasesOf(examples.en), ar: phrasesOf(examples.ar) },
      words,
    })),
  ])
}

const phrasesOf = ({ negative, neutral, positive }: ExampleSentences): readonly string[] => [...negative, ...neutral, ...positive]
