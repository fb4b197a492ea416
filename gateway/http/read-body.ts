import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { Fault } from '../../foundation/fault.ts'
import { release } from '../../foundation/process/release-memory.ts'

/** How many bytes of bodies are in memory now, and may be. One for all listeners of a process. */
export class Intake {
  readonly #max: number
  #held = 0

  constructor(maxBytes: number) {
    this.#max = maxBytes
  }

  /** Whether so many more bytes would fit now. */
  hasRoomFor(bytes: number): boolean {
    return this.#held + bytes <= this.#max
  }

  /** @returns false, and takes nothing, when there is no room */
  take(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false
    this.#held += bytes
    return true
  }

  give(bytes: number): void {
    this.#held -= bytes
  }
}

export interface BodyLimits {
  /** of the body as it is after decompression; the compressed one may not be larger either */
  readonly maxBytes: number
  readonly intake: Intake
  /** longest time without a byte */
  readonly stallMs: number
  /** called when nothing speaks against reading, before the first byte is read */
  readonly begin?: () => void
}

/** A body in memory; dispose of it when the answer is made, which gives its bytes back to the intake. */
export interface HeldBody extends Disposable {
  readonly bytes: Buffer
  /** Nothing reads the bytes any more: their memory is free at once. They are empty then. */
  done(): void
}

/** A compressed body may grow to this size, whatever its ratio. */
const freelyInflatedBytes = 1024 * 1024
/** Beyond that size, bytes that one compressed byte may become. JSON, base64 images included, stays below 30. */
const maxRatio = 100

/** Returns whether a body grows like one that was made to fill memory. */
export const isBomb = (inflatedBytes: number, source: Gunzip): boolean =>
  inflatedBytes > freelyInflatedBytes && inflatedBytes > maxRatio * source.bytesWritten

/** longest time that a body may take to arrive, however steadily it comes */
const arrivalMs = 120_000
/** A shorter body is put together at its end. */
const inPieces = 128 * 1024

/** A body that stopped coming, or comes too slowly. */
export class SlowBody extends Error {}
/** A body in an encoding other than identity or gzip. */
export class UnsupportedEncoding extends Error {}

/**
 * Reads a request's body, decompressing it. What is refused is not read to its end.
 * @throws {Fault} TOO_LARGE, also for a compressed body that grows more than a hundredfold; ENGINE_UNAVAILABLE when the intake is full; MALFORMED for broken gzip or a client that went away
 * @throws {UnsupportedEncoding}  @throws {SlowBody}
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<HeldBody> {
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

/** @param length - of the body, where it is known: its pieces then go where they belong as they come */
function collect(
  request: IncomingMessage,
  gunzip: Gunzip | undefined,
  length: number,
  { maxBytes, intake, stallMs }: BodyLimits,
): Promise<HeldBody> {
  const source: Readable = gunzip ?? request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    // not touched, so not in memory, before its bytes come
    const whole = length > inPieces ? Buffer.allocUnsafeSlow(length) : undefined
    let held = 0
    const dispose = (): void => {
      intake.give(held)
      held = 0
    }
    const settle = (): void => {
      clearTimeout(stalled)
      clearTimeout(late)
      source.off('data', onData).off('end', onEnd).off('error', onError)
      request.off('close', onGone)
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
      if (held + size > maxBytes) fail(tooLarge(maxBytes))
      else if (gunzip !== undefined && isBomb(held + size, gunzip)) fail(inflatedTooFar())
      else if (!intake.take(size)) fail(intakeFull())
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
    // a gunzip that is still at work when the request has come to its end is no client that went away
    const onGone = (): void => {
      if (!request.complete) fail(malformedBody())
    }
    const stalled = setTimeout(() => fail(new SlowBody()), stallMs)
    const late = setTimeout(() => fail(new SlowBody()), arrivalMs)
    source.on('data', onData).once('end', onEnd).once('error', onError)
    request.once('close', onGone)
  })
}

export const tooLarge = (maxBytes: number): Fault =>
  new Fault(
    'TOO_LARGE',
    `The body is larger than ${maxBytes < 1024 * 1024 ? `${Math.floor(maxBytes / 1024)} kB` : `${Math.floor(maxBytes / 1024 / 1024)} MB`}`,
  )
export const inflatedTooFar = (): Fault => new Fault('TOO_LARGE', `The body decompresses to more than ${maxRatio} times its size`)
export function malformedBody(cause?: unknown): Fault {
  return new Fault('MALFORMED', 'There was an error parsing the body', {}, cause)
}

const intakeFull = (): Fault => new Fault('ENGINE_UNAVAILABLE', 'Too many bodies are being read; try again', { retryAfterMs: 1000 })
