/** Leaves the keyboard, and whoever reads by it, at the beginning of what the page is about: `<main id="content" tabIndex={-1}>`. */
export function focusContent(): void {
  document.querySelector<HTMLElement>('#content')?.focus()
}
