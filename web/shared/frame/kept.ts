/** A place for something that a page keeps. Where the browser lets pages keep nothing, what was to be kept ends with its page. */
export interface Kept<Value extends object> {
  /** @returns what was kept, of which somebody may have made something else; undefined: nothing */
  read(): Partial<Value> | undefined
  /** @param value - undefined: nothing any more */
  keep(value: Value | undefined): void
}

/** As long as the browser's tab is open, so that a reload does not end it, and nowhere else. @param name - of the place among those of all pages */
export const keptInTab = <Value extends object>(name: string): Kept<Value> => keptIn(() => sessionStorage, name)

/** For the next visit, too. @param name - of the place among those of all pages */
export const keptInBrowser = <Value extends object>(name: string): Kept<Value> => keptIn(() => localStorage, name)

/** @param storage - where a browser refuses it, already to name it fails */
const keptIn = <Value extends object>(storage: () => Storage, name: string): Kept<Value> => ({
  read() {
    try {
      return JSON.parse(storage().getItem(name) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  },
  keep(value) {
    try {
      if (value === undefined) storage().removeItem(name)
      else storage().setItem(name, JSON.stringify(value))
    } catch {
      // it is in this page
    }
  },
})
