import type { Part } from '../../foundation/lifecycle.ts'

/** Length of every embedding of the platform. */
export const embeddingSize = 768

/** What a text is: something to be found, or what somebody looks for. Some models are trained to tell them apart. */
export type TextRole = 'passage' | 'query'

/** Turns texts into unit vectors of 768 numbers, so that texts about the same thing lie close to each other (cosine). */
export interface SentenceEncoder {
  /** says honestly what it is; vectors of different models cannot be compared */
  readonly model: string
  /**
   * @param role - a passage unless it is said to be a query   @returns a zero vector for a text without words
   * @throws {EngineUnavailable} {DeadlineExceeded}
   */
  encode(text: string, signal: AbortSignal, role?: TextRole): Promise<Float32Array>
}

/** An encoder that loads its model at the start and gives it back at the stop. */
export type RunningEncoder = SentenceEncoder & Part
