import { useSyncExternalStore } from 'react'

const names = ['sea', 'land', 'coast', 'border', 'name', 'positive', 'neutral', 'negative', 'unknown', 'centre', 'count', 'focus'] as const

/** The colours of the map, which the style sheet defines for light and dark. */
export type Colours = Readonly<Record<(typeof names)[number], string>>

/** Returns the current colours in a form that canvas and WebGL accept. */
export function coloursOf(place: Element): Colours {
  const probe = document.createElement('span')
  place.append(probe)
  const resolved = names.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(resolved) as Colours
}

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Returns whether the page is dark, by choice or by the device's setting. */
export const useIsDark = (): boolean => useSyncExternalStore(follow, isDark)

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? dark.matches : theme === 'dark'
}

function follow(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  dark.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    dark.removeEventListener('change', changed)
  }
}
