import { remember } from '../frame/remembered.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

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
