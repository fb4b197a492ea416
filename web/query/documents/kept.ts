/** Something that this browser keeps for the next visit, or nothing where it lets pages keep nothing. @param name - of its place */
export const keptInBrowser = (name: string) => ({
  /** @returns what was kept, of which somebody may have made something else; undefined: nothing */
  read(): unknown {
    try {
      return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  },
  keep(kept: object): void {
    try {
      localStorage.setItem(name, JSON.stringify(kept))
    } catch {
      // it is in this page
    }
  },
})
