import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { PhotographFormat } from '../../../engines/inference/images/image-format.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Forbidden } from '../../../foundation/fault.ts'
import { type PictureName, pictureNames } from './pictures.ts'
import type { Reviewer } from './reviewer.ts'

/** An image of a job in an address. */
export interface AddressedImage {
  readonly jobId: string
  readonly image: PictureName
  readonly format: PhotographFormat
  readonly bytes: number
}

const formats = ['jpeg', 'png', 'webp'] as const satisfies readonly PhotographFormat[]
/** job id (16 bytes), image, format (1 each), bytes, seconds since 1970 (4 each, big endian), then the HMAC-SHA256 */
const payloadBytes = 26
const macBytes = 32

/** lifetime of an address */
export const addressSeconds = 60

/** Signs addresses of images. An address is valid for one minute for one reviewer, who is covered by the signature only. */
export class ImageAddresses {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly #clock: Clock

  /** @param keys - 32 bytes each; the first one signs, the others are earlier keys */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]], clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  /** @returns the token in base64url and its expiry */
  sign({ jobId, image, format, bytes }: AddressedImage, reviewer: Reviewer): { readonly token: string; readonly expiresAt: Date } {
    const expiresAt = Math.floor(this.#clock.now() / 1000) + addressSeconds
    const payload = Buffer.alloc(payloadBytes)
    payload.set(parse(jobId))
    payload.writeUInt8(pictureNames.indexOf(image), 16)
    payload.writeUInt8(formats.indexOf(format), 17)
    payload.writeUInt32BE(bytes, 18)
    payload.writeUInt32BE(expiresAt, 22)
    const token = Buffer.concat([payload, mac(this.#keys[0], payload, reviewer)]).toString('base64url')
    return { token, expiresAt: new Date(expiresAt * 1000) }
  }

  /** @throws {Forbidden} with one message for any cause: invalid, altered, expired, or of another reviewer */
  open(token: string, reviewer: Reviewer): AddressedImage {
    const bytes = Buffer.from(token, 'base64url')
    const payload = bytes.subarray(0, payloadBytes)
    const signature = bytes.subarray(payloadBytes)
    const isOurs = signature.length === macBytes && this.#keys.some((key) => timingSafeEqual(mac(key, payload, reviewer), signature))
    if (!isOurs || payload.readUInt32BE(22) * 1000 <= this.#clock.now()) throw invalidAddress()
    const [image, format] = [pictureNames[payload.readUInt8(16)], formats[payload.readUInt8(17)]]
    if (image === undefined || format === undefined) throw invalidAddress()
    return { jobId: stringify(payload.subarray(0, 16)), image, format, bytes: payload.readUInt32BE(18) }
  }
}

export const invalidAddress = (): Forbidden =>
  new Forbidden('This address is invalid, has expired or belongs to another reviewer; request the images again')

const mac = (key: Uint8Array, payload: Uint8Array, { issuer, subject }: Reviewer): Buffer =>
  createHmac('sha256', key)
    .update(payload)
    .update(JSON.stringify([issuer, subject]))
    .digest()
