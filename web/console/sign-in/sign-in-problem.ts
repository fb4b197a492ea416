import type { Word } from '../words/words.ts'

/** The reason a sign-in failed, as a key of the console's words. */
export class SignInProblem extends Error {
  readonly word: Word
  readonly values: Readonly<Record<string, string>>

  constructor(word: Word, values: Readonly<Record<string, string>> = {}) {
    super(word)
    this.word = word
    this.values = values
  }
}
