import { useCallback, useEffect, useState } from 'react'
import { useLanguage } from './language.tsx'
import type { Language } from './words-in.ts'

type Rules = Readonly<Record<string, string>>

const load: Readonly<Record<Language, () => Promise<{ readonly default: Rules }>>> = {
  en: () => import('./rule-words/en.json'),
  fr: () => import('./rule-words/fr.json'),
  ar: () => import('./rule-words/ar.json'),
}
const loaded = new Map<Language, Rules>()

/** Returns the sentence of a rule that an input breaks, by its code; undefined for a rule without words. */
export type RuleWords = (code: string) => string | undefined

/**
 * Loads the sentences of the rules in the language of the page, which would weigh more than the rest of the shared words.
 * @param isNeeded - false for a page in English that shows the messages of the platform
 */
export function useRuleWords(isNeeded: boolean): RuleWords {
  const { language } = useLanguage()
  const [rules, setRules] = useState(loaded.get(language))
  useEffect(() => {
    if (!isNeeded) return
    let isCancelled = false
    load[language]()
      .then(({ default: texts }) => {
        loaded.set(language, texts)
        if (!isCancelled) setRules(texts)
      })
      // the messages of the platform remain
      .catch(() => undefined)
    return () => {
      isCancelled = true
    }
  }, [language, isNeeded])
  return useCallback((code) => rules?.[`entry.${code}`], [rules])
}
