import { type Language, languages } from './languages.ts'
import { withMarksKept } from './unbroken.ts'

/**
 * The words of a page that stands around a library with words of its own: into its elements (`data-word`), and for its scripts. In the language
 * that `first-look.ts` has found.
 */
export function plainWords<Word extends string>(texts: Readonly<Record<Language, Readonly<Record<Word, string>>>>): (key: Word) => string {
  const language = languages.find(({ code }) => code === document.documentElement.lang)?.code ?? 'en'
  const own: Readonly<Record<string, string | undefined>> = texts[language]
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]'))
    element.textContent = withMarksKept(own[element.dataset.word ?? ''] ?? element.textContent)
  return (key) => withMarksKept(texts[language][key])
}
