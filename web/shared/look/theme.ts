import { remember } from '../frame/remembered.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Of this page, which begins with the one that `first-look.ts` has found. */
export const chosenTheme = (): Theme => themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'

/** Light or dark from now on, on all pages; or as the device has it. @param wanted - as a control names it; what is no theme is the device's */
export function chooseTheme(wanted: unknown): Theme {
  const chosen = themes.find((theme) => theme === wanted) ?? 'system'
  const { dataset } = document.documentElement
  if (chosen === 'system') delete dataset.theme
  else dataset.theme = chosen
  remember('theme', chosen === 'system' ? undefined : chosen)
  return chosen
}
