import type { Word } from '../words/words.ts'

/** Why a sign-in came to nothing, as words of the console: the page says it in its language. */
export class SignInProblem extends Error {
  readonly word: Word
  readonly values: Readonly<Record<string, string>>

  constructor(word: Word, values: Readonly<Record<string, string>> = {}) {
    super(word)
    this.word = word
    this.values = values
  }
}
