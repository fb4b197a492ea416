import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { release } from '../../foundation/http/content.ts'
import { Fault } from '../fault.ts'

/** Counts bytes of bodies in memory against a limit; shared by all listeners of a process. */
export class Intake {
  readonly #max: number
  #held = 0

  constructor(maxBytes: number) {
    this.#max = maxBytes
  }

  /** Whether this many bytes fit now. */
  hasRoomFor(bytes: number): boolean {
    return this.#held + bytes <= this.#max
  }

  /** @returns false, without reserving, if there is no room */
  reserve(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false
    this.#held += bytes
    return true
  }

  /** Returns reserved bytes. */
  release(bytes: number): void {
    this.#held -= bytes
  }
}

export interface BodyLimits {
  /** limit after decompression; also applies to the compressed body */
  readonly maxBytes: number
  readonly intake: Intake
  /** timeout without received bytes */
  readonly stallMs: number
  /** called when the body will be read, before the first byte */
  readonly begin?: () => void
}

/** A body in memory; dispose of it after use to return its bytes to the intake. */
export interface BufferedBody extends Disposable {
  readonly bytes: Buffer
  /** Releases the memory immediately; the bytes may be empty afterwards. */
  done(): void
}

/** A compressed body may expand to this size at any ratio. */
const freelyInflatedBytes = 1024 * 1024
/** Maximum compression ratio beyond that size. JSON with base64 images stays below 30. */
const maxRatio = 100

/** Whether a body expands like a decompression bomb. */
export const isDecompressionBomb = (inflatedBytes: number, source: Gunzip): boolean =>
  inflatedBytes > freelyInflatedBytes && inflatedBytes > maxRatio * source.bytesWritten

/** maximum time for a body to arrive */
const arrivalMs = 120_000
/** Shorter bodies are concatenated at the end. */
const inPieces = 128 * 1024

/** A body that timed out. */
export class SlowBody extends Error {}
/** A body in an encoding other than identity or gzip. */
export class UnsupportedEncoding extends Error {}

/**
 * Reads and decompresses a request body; a refused body is not read to its end. @throws {Fault} TOO_LARGE, also for a compression ratio above the
 * limit; ENGINE_UNAVAILABLE if the intake is full; MALFORMED for invalid gzip or a disconnect
 * @throws {UnsupportedEncoding} {SlowBody}
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<BufferedBody> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip', ''].includes(encoding)) throw new UnsupportedEncoding(encoding)
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > limits.maxBytes) throw tooLarge(limits.maxBytes)
  if (!limits.intake.hasRoomFor(length)) throw intakeFull()
  if (length === 0 && request.headers['transfer-encoding'] === undefined)
    return { bytes: Buffer.alloc(0), done: () => undefined, [Symbol.dispose]: () => undefined }
  limits.begin?.()
  const gunzip = encoding.endsWith('gzip') ? request.pipe(createGunzip()) : undefined
  return collect(request, gunzip, gunzip === undefined ? length : 0, limits)
}

/** @param length - known size of the body: chunks are then copied to their place directly */
function collect(
  request: IncomingMessage,
  gunzip: Gunzip | undefined,
  length: number,
  { maxBytes, intake, stallMs }: BodyLimits,
): Promise<BufferedBody> {
  const source: Readable = gunzip ?? request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    // untouched memory is not resident until its bytes arrive
    const whole = length > inPieces ? Buffer.allocUnsafeSlow(length) : undefined
    let held = 0
    const dispose = (): void => {
      intake.release(held)
      held = 0
    }
    const startedAt = performance.now()
    const settle = (): void => {
      clearTimeout(stalled)
      source.off('data', onData).off('end', onEnd).off('error', onError)
      request.off('close', onClose)
    }
    const fail = (error: Error): void => {
      settle()
      dispose()
      if (source !== request) {
        request.unpipe()
        source.on('error', () => undefined).destroy()
      }
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      stalled.refresh()
      const size = chunk.length
      if (performance.now() - startedAt > arrivalMs) fail(new SlowBody())
      else if (held + size > maxBytes) fail(tooLarge(maxBytes))
      else if (gunzip !== undefined && isDecompressionBomb(held + size, gunzip)) fail(inflatedTooFar())
      else if (!intake.reserve(size)) fail(intakeFull())
      else {
        if (whole === undefined) chunks.push(chunk)
        else {
          whole.set(chunk, held)
          release(chunk)
        }
        held += size
      }
    }
    const onEnd = (): void => {
      settle()
      const bytes = whole ?? (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, held))
      resolve({ bytes, done: () => release(bytes), [Symbol.dispose]: dispose })
    }
    const onError = (error: Error): void => fail(malformedBody(error))
    // a gunzip that still works at the end of the request is not a disconnect
    const onClose = (): void => {
      if (!request.complete) fail(malformedBody())
    }
    const stalled = setTimeout(() => fail(new SlowBody()), stallMs)
    source.on('data', onData).once('end', onEnd).once('error', onError)
    request.once('close', onClose)
  })
}

export const tooLarge = (maxBytes: number): Fault =>
  new Fault(
    'TOO_LARGE',
    `The body is larger than ${maxBytes < 1024 * 1024 ? `${Math.floor(maxBytes / 1024)} kB` : `${Math.floor(maxBytes / 1024 / 1024)} MB`}`,
  )
export const inflatedTooFar = (): Fault =>
  new Fault('TOO_LARGE', `The body is too large: it decompresses to more than ${maxRatio} times its size`)
export function malformedBody(cause?: unknown): Fault {
  return new Fault('MALFORMED', 'There was an error parsing the body', {}, cause)
}

const intakeFull = (): Fault => new Fault('ENGINE_UNAVAILABLE', 'Too many bodies are being read; try again', { retryAfterMs: 1000 })
