/** A value stored in the browser; without storage it lasts until the page is closed. */
export interface StoredValue<Value extends object> {
  /** @returns the stored value, which other code may have changed; undefined: none */
  read(): Partial<Value> | undefined
  /** @param value - undefined removes it */
  write(value: Value | undefined): void
}

/** Stores a value for this tab, so that it survives a reload. @param name - unique among all pages */
export const tabStorage = <Value extends object>(name: string): StoredValue<Value> => storedIn(() => sessionStorage, name)

/** Stores a value across visits. @param name - unique among all pages */
export const browserStorage = <Value extends object>(name: string): StoredValue<Value> => storedIn(() => localStorage, name)

/** @param storage - a function, because browsers that refuse storage throw on access */
const storedIn = <Value extends object>(storage: () => Storage, name: string): StoredValue<Value> => ({
  read() {
    try {
      return JSON.parse(storage().getItem(name) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  },
  write(value) {
    try {
      if (value === undefined) storage().removeItem(name)
      else storage().setItem(name, JSON.stringify(value))
    } catch {
      // kept in memory
    }
  },
})
