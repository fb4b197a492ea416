const maxAnswers = 200

/**
 * Keeps the answers of the version that is known to be the current one: when they change, everybody who looks at them asks the same.
 * Only for small answers.
 */
export class AnswersOfVersion<Answer extends { readonly version: string }> {
  readonly #currentVersion: () => string | undefined
  #version: string | undefined
  readonly #answers = new Map<string, Promise<Answer>>()

  /** @param currentVersion - undefined while it is not known: then nothing is kept */
  constructor(currentVersion: () => string | undefined) {
    this.#currentVersion = currentVersion
  }

  /** @param question - all that the answer depends on, beside the version */
  get(question: string, make: () => Promise<Answer>): Promise<Answer> {
    const version = this.#currentVersion()
    if (version !== this.#version) this.#answers.clear()
    this.#version = version
    const known = this.#answers.get(question)
    if (known !== undefined) return known
    const made = make()
    if (version === undefined || this.#answers.size >= maxAnswers) return made
    this.#answers.set(question, made)
    const forget = (): void => {
      if (this.#answers.get(question) === made) this.#answers.delete(question)
    }
    // one that failed, or is already of the next version, is not kept
    made.then((answer) => answer.version === version || forget(), forget)
    return made
  }
}
