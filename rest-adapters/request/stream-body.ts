import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Fault } from '../../foundation/fault.ts'
import {
  inflatedTooFar,
  isDecompressionBomb,
  malformedBody,
  SlowBody,
  tooLarge,
  UnsupportedEncoding,
} from '../../foundation/http/read-body.ts'

export interface StreamLimits {
  /** limit after decompression */
  readonly maxBytes: number
  /** timeout without received bytes, while more are awaited */
  readonly stallMs: number
  readonly begin: () => void
}

/**
 * Yields the decompressed text of a body as it arrives, without holding it in memory. @throws {Fault} TOO_LARGE; MALFORMED for invalid gzip or UTF-8,
 * or a disconnect
 * @throws {UnsupportedEncoding} {SlowBody}
 */
export async function* textOfBody(request: IncomingMessage, { maxBytes, stallMs, begin }: StreamLimits): AsyncGenerator<string> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip', ''].includes(encoding)) throw new UnsupportedEncoding(encoding)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  begin()
  const gunzip = encoding.endsWith('gzip') ? request.pipe(createGunzip()) : undefined
  const source: Readable = gunzip ?? request
  const cut = (): void => void source.destroy(malformedBody())
  if (source !== request) request.once('aborted', cut)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let stalled: NodeJS.Timeout | undefined
  const watch = (): void => {
    stalled = setTimeout(() => source.destroy(new SlowBody()), stallMs)
  }
  let bytes = 0
  try {
    watch()
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      clearTimeout(stalled)
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      if (gunzip !== undefined && isDecompressionBomb(bytes, gunzip)) throw inflatedTooFar()
      yield decoder.decode(chunk, { stream: true })
      watch()
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof Fault || error instanceof SlowBody) throw error
    throw isOfTheBody(error) ? malformedBody(error) : error
  } finally {
    clearTimeout(stalled)
    request.off('aborted', cut)
    if (source !== request) {
      request.unpipe()
      source.on('error', () => undefined).destroy()
    }
  }
}

/** errors of the body: invalid text (TextDecoder) or gzip (zlib), a closed connection (net); errors of the consumer do not pass here */
function isOfTheBody(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ERR_ENCODING|Z_|ECONN|ERR_STREAM)/.test(String(error.code))
}
