/** Who is signed in on this page. It is kept as long as the browser's tab is open, so that a reload does not end it, and nowhere else. */
export interface KeptSession {
  readonly email: string
  readonly accessToken: string
  /** in milliseconds */
  readonly endsAt: number
}

const place = 'civigraph:docs'

/** @returns undefined where nobody is signed in, or the token has ended */
export function keptSession(): KeptSession | undefined {
  try {
    const kept: KeptSession | null = JSON.parse(sessionStorage.getItem(place) ?? 'null')
    return kept !== null && kept.endsAt > Date.now() ? kept : undefined
  } catch {
    // where the browser lets pages keep nothing, a session ends with its page
    return undefined
  }
}

export function keepSession(session: KeptSession | undefined): void {
  try {
    if (session === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(session))
  } catch {
    // it is in this page
  }
}
