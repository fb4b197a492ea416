import { useLayoutEffect } from 'react'

/** Leaves the keyboard, and whoever reads by it, at the beginning of what the page is about: `<main id="content" tabIndex={-1}>`. */
export function focusContent(): void {
  document.querySelector<HTMLElement>('#content')?.focus()
}

/** What stands for the whole page: when it goes, with the focus in it, whoever has it begins at the content of what comes instead. */
export function useHandedOnFocus(): void {
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== document.body) queueMicrotask(focusContent)
    },
    [],
  )
}
