import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { PhotographFormat } from '../../../engines/inference/images/image-format.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Forbidden } from '../../../foundation/fault.ts'
import { type PictureName, pictureNames } from './pictures.ts'
import type { Reviewer } from './reviewer.ts'

/** A picture of a job, as an address names it. */
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

/** how long an address is good for */
export const addressSeconds = 60

/** Signs the addresses of images. One is good for a minute, for the person for whom it was made; the person is in the signature alone. */
export class ImageAddresses {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly #clock: Clock

  /** @param keys - 32 bytes each; the first one signs, the others are of before */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]], clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  /** @returns the address's secret part, letters of base64url, and when it ends */
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

  /** @throws {Forbidden} one sentence for all: made up, changed, over, or made for another person */
  open(token: string, reviewer: Reviewer): AddressedImage {
    const bytes = Buffer.from(token, 'base64url')
    const payload = bytes.subarray(0, payloadBytes)
    const signature = bytes.subarray(payloadBytes)
    const isOurs = signature.length === macBytes && this.#keys.some((key) => timingSafeEqual(mac(key, payload, reviewer), signature))
    if (!isOurs || payload.readUInt32BE(22) * 1000 <= this.#clock.now()) throw notGood()
    const [image, format] = [pictureNames[payload.readUInt8(16)], formats[payload.readUInt8(17)]]
    if (image === undefined || format === undefined) throw notGood()
    return { jobId: stringify(payload.subarray(0, 16)), image, format, bytes: payload.readUInt32BE(18) }
  }
}

export const notGood = (): Forbidden =>
  new Forbidden('This address is invalid, has expired or belongs to another reviewer; request the images again')

const mac = (key: Uint8Array, payload: Uint8Array, { issuer, subject }: Reviewer): Buffer =>
  createHmac('sha256', key)
    .update(payload)
    .update(JSON.stringify([issuer, subject]))
    .digest()
