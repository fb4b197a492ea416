import { readFile, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'

/** A source of supergraphs. */
export interface SupergraphOrigin {
  /** path or URL without secrets */
  readonly name: string
  /**
   * Reads the current supergraph. @returns undefined if it is unchanged since the last read
   * @throws {Error} if it cannot be read
   */
  read(signal: AbortSignal): Promise<string | undefined>
}

/** @param place - path of a file, or an http URL */
export const originOf = (place: string): SupergraphOrigin => (/^https?:\/\//.test(place) ? urlOrigin(place) : fileOrigin(place))

/** Reads a file that may be overwritten or replaced, also through the folder of a link. */
export function fileOrigin(file: string): SupergraphOrigin {
  let seen: string | undefined
  return {
    name: file,
    async read(signal) {
      const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
      const state = [ino, size, mtimeNs, ctimeNs].join()
      if (state === seen) return undefined
      const sdl = await readFile(file, { encoding: 'utf8', signal })
      seen = state
      return sdl
    },
  }
}

const answerMs = 10_000
const maxBytes = 64 * 1024 * 1024

/** Reads a URL with GET, and with If-None-Match if it returns an ETag (RFC 9110, 8.8.3). */
export function urlOrigin(url: string): SupergraphOrigin {
  const address = new URL(url)
  const { origin, pathname, username, password } = address
  const credentials = username === '' ? {} : { authorization: `Basic ${btoa(decodeURIComponent(`${username}:${password}`))}` }
  const dispatcher = new Agent({ maxResponseSize: maxBytes, headersTimeout: answerMs, bodyTimeout: answerMs })
  let etag: string | undefined
  return {
    name: `${origin}${pathname}`,
    async read(signal) {
      const { statusCode, headers, body } = await request(new URL(`${pathname}${address.search}`, origin), {
        headers: { ...credentials, accept: 'text/plain, application/graphql, */*', ...(etag && { 'if-none-match': etag }) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
        dispatcher,
        // the next poll is a while away
        reset: true,
      })
      if (statusCode !== 200) {
        await body.dump()
        if (statusCode === 304) return undefined
        throw new Error(`GET ${origin}${pathname} returned HTTP ${statusCode}`)
      }
      const sdl = await text(body)
      etag = typeof headers.etag === 'string' ? headers.etag : undefined
      return sdl
    },
  }
}
