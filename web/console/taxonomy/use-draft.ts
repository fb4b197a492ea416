import type { TaxonomyDraftQuery } from '@civigraph/client/documents'
import { useMemo } from 'react'
import { dictionary } from '../../shared/words/language.tsx'
import { labelIn } from '../../shared/words/words-in.ts'
import ar from './taxonomy-words/ar.json' with { type: 'json' }
import en from './taxonomy-words/en.json' with { type: 'json' }
import fr from './taxonomy-words/fr.json' with { type: 'json' }

/** The words of the taxonomy's pages. */
export const useTaxonomyWords = dictionary({ fr, en, ar })

export type Draft = NonNullable<TaxonomyDraftQuery['taxonomyDraft']>
export type DraftDomain = Draft['domains'][number]

/** Returns a function that names a domain of the draft by its key, in the language of the page. */
export function useNames(domains: readonly DraftDomain[]): (key: string | null | undefined) => string {
  const { language, word } = useTaxonomyWords()
  return useMemo(() => {
    const labels = new Map(domains.map((each) => [each.key, labelIn(language, each.labels)]))
    return (key) => (key == null ? word('taxonomy.none') : (labels.get(key) ?? key))
  }, [domains, language, word])
}

/** Domains with their sub-domains, in order. */
export function treeOf(
  domains: readonly DraftDomain[],
): readonly { readonly domain: DraftDomain; readonly subDomains: readonly DraftDomain[] }[] {
  return domains
    .filter(({ parentKey }) => parentKey == null)
    .map((domain) => ({ domain, subDomains: domains.filter(({ parentKey }) => parentKey === domain.key) }))
}
