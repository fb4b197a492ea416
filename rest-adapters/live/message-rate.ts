/** A token bucket: `burst` messages at once, `perSecond` in the long run. */
export class MessageRate {
  readonly #burst: number
  readonly #perSecond: number
  #tokens: number
  #at = performance.now()

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#tokens = burst
  }

  /** Consumes a token. @returns false without a token */
  allows(): boolean {
    const now = performance.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
