import { type Language, languages } from './languages.ts'

/** Returns the language that `first-look.ts` selected. */
export const pageLanguage = (): Language => languages.find(({ code }) => code === document.documentElement.lang)?.code ?? 'en'

/** Sets the language and direction of the document. */
export function setPageLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = languages.find(({ code }) => code === language)?.dir ?? 'ltr'
}
