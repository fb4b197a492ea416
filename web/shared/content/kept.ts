/** What this browser keeps for a page, under a name. Where it lets pages keep nothing, nothing is kept. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`civigraph.${name}`) ?? 'null')
  } catch {
    return null
  }
}

/** @param value - undefined: it is given up   @returns whether it is kept */
export function keep(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(`civigraph.${name}`)
    else localStorage.setItem(`civigraph.${name}`, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
