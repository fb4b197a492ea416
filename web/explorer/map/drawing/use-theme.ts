import { useSyncExternalStore } from 'react'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Whether the page is dark, as it was chosen or as the device has it. */
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
