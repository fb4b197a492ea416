import { useSyncExternalStore } from 'react'

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
