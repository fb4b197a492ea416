import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { acceptedCodings, type Coding, minCompressedBytes } from '../../foundation/http/content-coding.ts'

/** Content in a compressed variant, by its coding. */
export type MadeCodings = Readonly<Partial<Record<Coding, Buffer>>>

/** Compressed bytes with their coding. */
export interface CodedContent {
  readonly coding: Coding
  readonly bytes: Buffer
}

/** Content with compressed variants: built ones, or variants compressed at the first request and cached. */
export interface Compressible {
  /** best coding that the Accept-Encoding header allows (RFC 9110, section 12.5.3); undefined: identity */
  for(acceptEncoding: string | undefined): Promise<CodedContent | undefined>
}

/** highest level that takes about a second, once */
const brotliQuality = 9

const encoders: Readonly<Record<Coding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (content) => promisify(gzip)(content),
}

/** @returns undefined for content below the minimum size */
export function compressible(content: Buffer, codings: MadeCodings = {}): Compressible | undefined {
  if (content.length < minCompressedBytes) return undefined
  const variants = new Map<Coding, Promise<Buffer>>()
  return {
    async for(acceptEncoding) {
      const [best] = acceptedCodings(acceptEncoding)
      if (best === undefined) return undefined
      const bytes = codings[best] ?? variants.get(best) ?? encoders[best](content)
      if (bytes instanceof Promise) variants.set(best, bytes)
      return { coding: best, bytes: await bytes }
    },
  }
}
