import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { focusContent } from './page-document.ts'

/** Sets the document title while mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Civigraph`
  }, [title])
}

/** Content that fills the page: when it is removed while it has the focus, the focus moves to the content that replaces it. */
export function useFocusAfterRemoval(): void {
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== document.body) queueMicrotask(focusContent)
    },
    [],
  )
}

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

/** Calls a function at an interval while the page is visible. @param isOn - false: not at present */
export function useRepeated(everyMs: number, again: () => void, isOn = true): void {
  const current = useRef(again)
  current.current = again
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => !document.hidden && current.current(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isOn])
}
