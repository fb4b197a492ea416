/** Length of every embedding of the platform. */
export const embeddingSize = 768

/** Turns texts into unit vectors of 768 numbers, so that texts about the same thing lie close to each other (cosine). */
export interface SentenceEncoder {
  /** says honestly what it is; vectors of different models cannot be compared */
  readonly model: string
  /** @returns a zero vector for a text without words */
  encode(text: string, signal: AbortSignal): Promise<Float32Array>
}
