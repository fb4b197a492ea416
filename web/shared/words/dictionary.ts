import { useMemo } from 'react'
import { useLanguage } from './language.tsx'
import type { Language } from './languages.ts'
import { type SharedWord, type Text, type Words, wordsIn } from './words-in.ts'

/** Creates the hook that returns a page's words with the shared ones. Each language is a JSON file with the same keys. */
export function dictionary<Word extends string>(
  texts: Readonly<Record<Language, Readonly<Record<Word, Text>>>>,
): () => Words<Word | SharedWord> {
  return () => {
    const { language } = useLanguage()
    return useMemo(() => wordsIn(language, texts[language]), [language])
  }
}

/** The words shared by all pages and their components. */
export const useSharedWords = dictionary({ fr: {}, en: {}, ar: {} })
