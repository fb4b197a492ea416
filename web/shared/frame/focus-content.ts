/** Focuses the main content: `<main id="content" tabIndex={-1}>`. */
export function focusContent(): void {
  document.querySelector<HTMLElement>('#content')?.focus()
}
