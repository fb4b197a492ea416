/** A value stored in the browser; without storage it lasts until the page is closed. */
export interface Kept<Value extends object> {
  /** @returns the stored value, which other code may have changed; undefined: none */
  read(): Partial<Value> | undefined
  /** @param value - undefined removes it */
  keep(value: Value | undefined): void
}

/** Stores a value for this tab, so that it survives a reload. @param name - unique among all pages */
export const keptInTab = <Value extends object>(name: string): Kept<Value> => keptIn(() => sessionStorage, name)

/** Stores a value across visits. @param name - unique among all pages */
export const keptInBrowser = <Value extends object>(name: string): Kept<Value> => keptIn(() => localStorage, name)

/** @param storage - a function, because browsers that refuse storage throw on access */
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
      // kept in memory
    }
  },
})
