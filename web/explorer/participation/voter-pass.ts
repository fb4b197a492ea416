const place = 'civigraph.voter-pass'

/** What this browser votes with; undefined before its first vote, or where nothing is kept. */
export function voterPass(): string | undefined {
  try {
    return localStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}

export function keepVoterPass(pass: string): void {
  try {
    localStorage.setItem(place, pass)
  } catch {
    // a browser that keeps nothing votes as somebody else the next time
  }
}
