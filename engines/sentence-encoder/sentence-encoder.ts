import { setImmediate } from 'node:timers/promises'
import type { Part } from '../../foundation/lifecycle.ts'

/** Length of every embedding of the platform. */
export const embeddingSize = 768

/** The role of a text: content to be found, or a search query. Some models are trained to distinguish them. */
export type TextRole = 'passage' | 'query'

/** Encodes texts as unit vectors of 768 numbers; texts with similar meaning have a high cosine similarity. */
export interface SentenceEncoder {
  /** identifier of the model; vectors of different models are not comparable */
  readonly model: string
  /**
   * @param role - default: passage
   * @returns a zero vector for a text without words
   * @throws {EngineUnavailable} {DeadlineExceeded}
   */
  encode(text: string, signal: AbortSignal, role?: TextRole): Promise<Float32Array>
  /** Encodes many texts in order, if it can do so faster than one after another. */
  encodeAll?(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
}

/** An encoder that loads its model at the start and releases it at the stop. */
export type RunningEncoder = SentenceEncoder & Part

/**
 * Encodes texts one after another, in order, and yields to the event loop after each: an encoder without its own thread would otherwise block it for
 * seconds. @throws errors of the encoder
 */
export async function encodeAll(encoder: SentenceEncoder, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
  if (encoder.encodeAll !== undefined) return encoder.encodeAll(texts, signal)
  const vectors: Float32Array[] = []
  for (const text of texts) {
    vectors.push(await encoder.encode(text, signal))
    await setImmediate()
  }
  return vectors
}
