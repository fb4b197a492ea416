import { createHmac } from 'node:crypto'

/** Computes the pseudonyms of citizens in audit records, delegations of erased citizens and tombstones. */
export class CitizenPseudonyms {
  readonly #key: Uint8Array

  /** @param key - PSEUDONYM_KEY: its holder can find out whether a code was looked up or erased */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Returns `citizen:` and the HMAC-SHA-256 of the code in base64url. */
  of(code: string): string {
    return `citizen:${createHmac('sha256', this.#key).update(`citizen\n${code}`).digest('base64url')}`
  }
}

/** Returns whether a stored text is a pseudonym and not a citizen code. */
export const isPseudonym = (text: string): boolean => /^citizen:[A-Za-z0-9_-]{43}$/.test(text)
