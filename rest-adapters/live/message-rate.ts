/** A bucket of tokens: so many messages at once, so many a second in the long run. */
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

  /** Takes one message in. @returns false when there are too many */
  allows(): boolean {
    const now = performance.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
