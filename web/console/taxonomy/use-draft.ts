import type { TaxonomyDraftQuery } from '@civigraph/client/documents'
import { useMemo } from 'react'
import { dictionary } from '../../shared/words/language.tsx'
import { labelIn, languages as pageLanguages } from '../../shared/words/words-in.ts'
import ar from './taxonomy-words/ar.json' with { type: 'json' }
import en from './taxonomy-words/en.json' with { type: 'json' }
import fr from './taxonomy-words/fr.json' with { type: 'json' }

/** The words of the taxonomy's pages. */
export const useTaxonomyWords = dictionary({ fr, en, ar })

export type Draft = NonNullable<TaxonomyDraftQuery['taxonomyDraft']>
export type DraftDomain = Draft['domains'][number]

/** Returns a function that names a domain of the draft, or a retired one, by its key in the language of the page. */
export function useNames({ domains, retired }: Pick<Draft, 'domains' | 'retired'>): (key: string | null | undefined) => string {
  const { language, word } = useTaxonomyWords()
  return useMemo(() => {
    const labels = new Map([...retired, ...domains].map((each) => [each.key, labelIn(language, each.labels)]))
    return (key) => (key == null ? word('taxonomy.none') : (labels.get(key) ?? key))
  }, [domains, retired, language, word])
}

/** Returns a function that names a language by its code, in the language of the page. */
export function useLanguageNames(): (code: string) => string {
  const { language } = useTaxonomyWords()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'language' })
    // French has lower-case names of languages, which begin a label here
    return (code) => (names.of(code) ?? code).replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language))
  }, [language])
}

/** Languages of the pages, then the other languages in which a domain of the draft has a label. */
export function languagesOf({ domains }: Pick<Draft, 'domains'>): readonly string[] {
  const used = domains.flatMap(({ labels }) => labels.map(({ lang }) => lang)).toSorted()
  return [...new Set([...pageLanguages.map(({ code }) => code as string), ...used])]
}

/** Domains with their sub-domains, in order. */
export function treeOf(
  domains: readonly DraftDomain[],
): readonly { readonly domain: DraftDomain; readonly subDomains: readonly DraftDomain[] }[] {
  return domains
    .filter(({ parentKey }) => parentKey == null)
    .map((domain) => ({ domain, subDomains: domains.filter(({ parentKey }) => parentKey === domain.key) }))
}
