import { type Language, languages } from './words-in.ts'

const days = 365

/**
 * Stores the user's choices for all pages, in cookies: the pages are on several ports of a host, which share cookies but not storage.
 * `first-look.ts` reads them before the first paint.
 */
export function remember(choice: 'language' | 'theme', value: string | undefined): void {
  const age = value === undefined ? 0 : days * 86_400
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `civigraph.${choice}=${value ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax`
}

/** Returns the language that `first-look.ts` selected. */
export const pageLanguage = (): Language => languages.find(({ code }) => code === document.documentElement.lang)?.code ?? 'en'

/** Sets the language and direction of the document. */
export function setPageLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = languages.find(({ code }) => code === language)?.dir ?? 'ltr'
}

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Returns the theme that `first-look.ts` set. */
export const chosenTheme = (): Theme => themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'

/**
 * Sets and stores the theme for all pages.
 * @param wanted - value of a control; anything but a theme selects the device's setting
 */
export function chooseTheme(wanted: unknown): Theme {
  const chosen = themes.find((theme) => theme === wanted) ?? 'system'
  const { dataset } = document.documentElement
  if (chosen === 'system') delete dataset.theme
  else dataset.theme = chosen
  remember('theme', chosen === 'system' ? undefined : chosen)
  return chosen
}
