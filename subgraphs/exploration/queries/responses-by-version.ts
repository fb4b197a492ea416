const maxAnswers = 200

/** Caches answers of the current version: after a change, all viewers send the same queries. For small answers only. */
export class ResponsesByVersion<Answer extends { readonly version: string }> {
  readonly #currentVersion: () => string | undefined
  #version: string | undefined
  readonly #answers = new Map<string, Promise<Answer>>()

  /** @param currentVersion - undefined while unknown: then nothing is cached */
  constructor(currentVersion: () => string | undefined) {
    this.#currentVersion = currentVersion
  }

  /** Returns what is cached or being made; undefined if `get` would make it. */
  cached(question: string): Promise<Answer> | undefined {
    return this.#currentVersion() === this.#version ? this.#answers.get(question) : undefined
  }

  /** @param question - all inputs of the answer except the version */
  get(question: string, make: () => Promise<Answer>): Promise<Answer> {
    const version = this.#currentVersion()
    if (version !== this.#version) this.#answers.clear()
    this.#version = version
    const cached = this.#answers.get(question)
    if (cached !== undefined) return cached
    const made = make()
    if (version === undefined || this.#answers.size >= maxAnswers) return made
    this.#answers.set(question, made)
    const forget = (): void => {
      if (this.#answers.get(question) === made) this.#answers.delete(question)
    }
    // failed answers and answers of a later version are not cached
    made.then((answer) => answer.version === version || forget(), forget)
    return made
  }
}
