/** A request to a language model about one text. */
export interface LanguageModelRequest {
  /** name of the response schema, which the service shows */
  readonly name: string
  /** trusted instructions of the platform */
  readonly instructions: string
  /** untrusted text, to be treated as data only */
  readonly text: string
  /** JSON Schema of the response; a response that violates it must not be used */
  readonly schema: Readonly<Record<string, unknown>>
}

/** A large language model behind a service. It may be slow, unavailable or wrong, so callers need a fallback. */
export interface LanguageModel {
  readonly name: string
  /** time limit of a response */
  readonly limitMs: number
  /**
   * @param read - parses the response; throws if it is invalid
   * @throws {EngineUnavailable} if it is unavailable, slow or wrong; immediately after repeated failures
   */
  ask<Answer>(question: LanguageModelRequest, read: (answer: unknown) => Answer, signal: AbortSignal): Promise<Answer>
}
