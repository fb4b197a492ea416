import { useCallback, useSyncExternalStore } from 'react'

/** Returns whether a media query matches; updates on change. */
export function useMedia(query: string): boolean {
  const listen = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}
