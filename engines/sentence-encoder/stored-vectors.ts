import { hash } from 'node:crypto'
import type { Database } from '../relational/database.ts'
import { embeddingSize, encodeAll, type SentenceEncoder } from './sentence-encoder.ts'

/** texts whose vectors are read or written in one statement */
const atOnce = 500

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Returns an encoder whose `encodeAll` stores each vector in the database and computes only those that are missing. */
export function withStoredVectors({ pool }: Database, encoder: SentenceEncoder): SentenceEncoder {
  const { model } = encoder
  const storingAll = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const vectors = new Map<string, Float32Array>()
    const distinct = [...new Set(texts)]
    for (let from = 0; from < distinct.length; from += atOnce) {
      signal.throwIfAborted()
      const some = distinct.slice(from, from + atOnce)
      const byDigest = new Map(some.map((text) => [digestOf(text).toString('hex'), text]))
      const { rows } = await pool.query<{ digest: Buffer; vector: Buffer }>(
        'select digest, vector from phrase_vector where model = $1 and digest = any($2)',
        [model, some.map(digestOf)],
      )
      for (const { digest, vector } of rows) {
        const text = byDigest.get(digest.toString('hex'))
        // a copy, since the driver may return a buffer at an odd offset
        if (text !== undefined && vector.length === 4 * embeddingSize) vectors.set(text, new Float32Array(Uint8Array.from(vector).buffer))
      }
      const missing = some.filter((text) => !vectors.has(text))
      if (missing.length === 0) continue
      const computed = await encodeAll(encoder, missing, signal)
      for (const [index, text] of missing.entries()) vectors.set(text, computed[index] ?? new Float32Array(embeddingSize))
      await pool.query(
        'insert into phrase_vector (model, digest, vector) select $1, * from unnest($2::bytea[], $3::bytea[]) on conflict do nothing',
        [model, missing.map(digestOf), computed.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))],
      )
    }
    return texts.map((text) => vectors.get(text) ?? new Float32Array(embeddingSize))
  }
  return { model, encode: (text, signal, role) => encoder.encode(text, signal, role), encodeAll: storingAll }
}
