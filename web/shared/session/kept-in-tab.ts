/** Something that a page keeps as long as the browser's tab is open, so that a reload does not end it, and nowhere else. */
export interface KeptInTab<Kept extends object> {
  /** @returns what was kept, of which somebody may have made something else; undefined: nothing */
  read(): Partial<Kept> | undefined
  /** @param kept - undefined: nothing any more */
  keep(kept: Kept | undefined): void
}

/** Where the browser lets pages keep nothing, what was to be kept ends with its page. @param name - of its place among those of all pages */
export const keptInTab = <Kept extends object>(name: string): KeptInTab<Kept> => ({
  read() {
    try {
      return JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  },
  keep(kept) {
    try {
      if (kept === undefined) sessionStorage.removeItem(name)
      else sessionStorage.setItem(name, JSON.stringify(kept))
    } catch {
      // it is in this page
    }
  },
})
