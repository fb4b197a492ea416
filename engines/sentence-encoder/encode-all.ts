import { setImmediate } from 'node:timers/promises'
import type { SentenceEncoder } from './sentence-encoder.ts'

/**
 * Encodes texts one after another, in order, and yields to the event loop after each: an encoder without its own thread would otherwise block it for
 * seconds. @throws errors of the encoder
 */
export async function encodeAll(encoder: SentenceEncoder, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const text of texts) {
    vectors.push(await encoder.encode(text, signal))
    await setImmediate()
  }
  return vectors
}
