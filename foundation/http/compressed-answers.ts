import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Semaphore } from '../concurrency/semaphore.ts'
import { addVary } from './content.ts'
import { acceptedCodings, type Coding, codedEntityTag, isCompressible, minCompressedBytes } from './content-coding.ts'

/** Of the four threads that Node has for files, name resolution and compression. */
const threads = 2
/** Limit of bytes that are compressed or wait for it: further answers are sent as they are. */
const defaultMaxBytes = 4 * 1024 * 1024

/** levels that compress JSON to a fifth at 100 MB/s */
const encoders: Readonly<Record<Coding, (content: Uint8Array) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength },
    }),
  gzip: (content) => promisify(gzip)(content, { level: 4 }),
}

/** Compresses on other threads, within a limit of bytes. */
export class Compressor {
  readonly #maxBytes: number
  readonly #turns = new Semaphore(threads)
  readonly #never = new AbortController().signal
  #bytes = 0

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes
  }

  /** Returns the compressed content; undefined if it is not smaller, or while too much is being compressed. */
  async compress(content: Uint8Array, coding: Coding): Promise<Buffer | undefined> {
    const { byteLength } = content
    if (this.#bytes > 0 && this.#bytes + byteLength > this.#maxBytes) return undefined
    this.#bytes += byteLength
    try {
      const coded = await this.#turns.hold(() => encoders[coding](content), this.#never)
      return coded.byteLength < byteLength ? coded : undefined
    } finally {
      this.#bytes -= byteLength
    }
  }
}

const uncompressed = new WeakSet<FastifyReply>()

/**
 * Sends a response as it is. For responses with passwords, keys or tokens: the size of a compressed response reveals whether a secret contains a text
 * that the attacker can add to it. @see Prado, Harris and Gluck, "BREACH: Reviving the CRIME attack", 2013
 */
export const leaveUncompressed = (reply: FastifyReply): void => void uncompressed.add(reply)

/** shared by the listeners of this process, as the threads are */
const processCompressor = new Compressor()

/** Compresses complete responses of a listener for clients that accept it, with an ETag for each coding. Streams pass as they are. */
export function compressAnswers(server: FastifyInstance, compressor = processCompressor): void {
  server.addHook('onSend', async ({ headers }, reply, payload) => {
    if (uncompressed.has(reply) || !mayCompress(reply)) return payload
    const content = bytesOf(payload)
    if (content === undefined) return payload
    addVary(reply, 'Accept-Encoding')
    const [coding] = acceptedCodings(headers['accept-encoding'])
    const coded = coding && (await compressor.compress(content, coding))
    if (coding === undefined || coded === undefined) return payload
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string') reply.header('etag', codedEntityTag(etag, coding))
    reply.removeHeader('content-length').header('content-encoding', coding)
    return coded
  })
}

/** Whether the headers of a response allow compression: its type, and no part of it or coded content. */
function mayCompress(reply: FastifyReply): boolean {
  const isWhole = !['content-encoding', 'content-range'].some((name) => reply.hasHeader(name))
  return isWhole && isCompressible(String(reply.getHeader('content-type') ?? ''))
}

/** Returns the bytes of a complete response; undefined for a small one, and for a stream. */
function bytesOf(payload: unknown): Uint8Array | undefined {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  return bytes instanceof Uint8Array && bytes.byteLength >= minCompressedBytes ? bytes : undefined
}
