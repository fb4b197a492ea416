import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds; asked again when that changes. */
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
