import { type Language, languages } from './languages.ts'

/** Of this page, which begins with the one that `first-look.ts` has found. */
export const pageLanguage = (): Language => languages.find(({ code }) => code === document.documentElement.lang)?.code ?? 'en'

/** The page is in this language from now on, and goes in its direction. */
export function setPageLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = languages.find(({ code }) => code === language)?.dir ?? 'ltr'
}
