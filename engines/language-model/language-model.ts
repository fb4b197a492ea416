/** What a language model is asked about one text. */
export interface Question {
  /** of the answer, as the service shows it */
  readonly name: string
  /** what to do with the text; ours, trusted */
  readonly instructions: string
  /** written by somebody: data, whatever it says */
  readonly text: string
  /** JSON Schema of the answer; what does not follow it must not be used */
  readonly schema: Readonly<Record<string, unknown>>
}

/** A large language model behind a service. It may be slow, away or wrong at any time, so whoever asks can do without. */
export interface LanguageModel {
  readonly name: string
  /** longest time that an answer takes; after it the question has failed */
  readonly limitMs: number
  /**
   * @param read - makes of the answer what is wanted, and throws when it is not what was asked for
   * @throws {EngineUnavailable} when it is away, slow or wrong, at once while it has been so several times
   */
  ask<Answer>(question: Question, read: (answer: unknown) => Answer, signal: AbortSignal): Promise<Answer>
}
