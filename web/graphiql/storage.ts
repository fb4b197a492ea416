/**
 * Where GraphiQL keeps what it knows. Tabs and history hold the headers of the header editor, keys and tokens too: they are kept as long as
 * the browser's tab, everything else for the next visit.
 */
export const storage = {
  getItem: (name: string) => keptIn(name).getItem(name),
  setItem: (name: string, value: string) => keptIn(name).setItem(name, value),
  removeItem: (name: string) => keptIn(name).removeItem(name),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length
  },
}

const mayHoldHeaders = (name: string): boolean => /:(queries|favorites|headers|tabState)$/.test(name)
const keptIn = (name: string): Storage => (mayHoldHeaders(name) ? sessionStorage : localStorage)
