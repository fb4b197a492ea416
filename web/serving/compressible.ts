import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

export type Coding = 'br' | 'gzip'

/** The same content in fewer bytes, by the coding that makes them so. */
export type MadeCodings = Readonly<Partial<Record<Coding, Buffer>>>

/** Bytes in fewer, and the coding that makes them so. */
export interface Coded {
  readonly coding: Coding
  readonly bytes: Buffer
}

/** Bytes that are sent in fewer to those who take them so; what the build has not made is made when somebody asks for the first time, and kept. */
export interface Compressible {
  /** by the best coding that the header allows (RFC 9110, section 12.5.3); undefined: as they are */
  for(acceptEncoding: string | undefined): Promise<Coded | undefined>
}

/** as small as is worth a second of one processor, once */
const brotliQuality = 9
/** below it the head of the answer weighs more */
export const smallestCompressed = 1024

const encoders: Readonly<Record<Coding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (content) => promisify(gzip)(content),
}

/** @returns undefined for what is too small to be worth it */
export function compressible(content: Buffer, codings: MadeCodings = {}): Compressible | undefined {
  if (content.length < smallestCompressed) return undefined
  const made = new Map<Coding, Promise<Buffer>>()
  return {
    async for(acceptEncoding) {
      if (acceptEncoding === undefined) return undefined
      const best = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encoding(['br', 'gzip', 'identity'], {
        preferred: ['br', 'gzip'],
      })
      if (best !== 'br' && best !== 'gzip') return undefined
      const bytes = codings[best] ?? made.get(best) ?? encoders[best](content)
      if (bytes instanceof Promise) made.set(best, bytes)
      return { coding: best, bytes: await bytes }
    },
  }
}
