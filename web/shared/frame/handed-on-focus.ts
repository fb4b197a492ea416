import { useLayoutEffect } from 'react'
import { focusContent } from './focus-content.ts'

/** Content that fills the page: when it is removed while it has the focus, the focus moves to the content that replaces it. */
export function useHandedOnFocus(): void {
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== document.body) queueMicrotask(focusContent)
    },
    [],
  )
}
