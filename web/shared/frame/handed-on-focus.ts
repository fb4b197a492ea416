import { useLayoutEffect } from 'react'
import { focusContent } from './focus-content.ts'

/** What stands for the whole page: when it goes, with the focus in it, whoever has it begins at the content of what comes instead. */
export function useHandedOnFocus(): void {
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== document.body) queueMicrotask(focusContent)
    },
    [],
  )
}
