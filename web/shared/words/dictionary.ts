import { useMemo } from 'react'
import { useLanguage } from './language.tsx'
import type { Language } from './languages.ts'
import { type SharedWord, type Text, type Words, wordsIn } from './words-in.ts'

/** The words of a page, beside those of all: a JSON file for each language, all with the same keys. @returns the hook by which the page speaks */
export function dictionary<Word extends string>(
  texts: Readonly<Record<Language, Readonly<Record<Word, Text>>>>,
): () => Words<Word | SharedWord> {
  return () => {
    const { language } = useLanguage()
    return useMemo(() => wordsIn(language, texts[language]), [language])
  }
}

/** What all pages say: around them, and in the components that they share. */
export const useSharedWords = dictionary({ fr: {}, en: {}, ar: {} })
