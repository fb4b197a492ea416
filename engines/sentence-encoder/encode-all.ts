import { setImmediate } from 'node:timers/promises'
import type { SentenceEncoder } from './sentence-encoder.ts'

/**
 * Vectors of many texts, in their order, encoded one after another. After each others have their turn: an encoder without a thread of its own
 * would keep a process from answering for as long as all of them take, seconds on a busy machine.
 * @throws what the encoder throws
 */
export async function encodeAll(encoder: SentenceEncoder, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const text of texts) {
    vectors.push(await encoder.encode(text, signal))
    await setImmediate()
  }
  return vectors
}
