import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../foundation/clock.ts'
import { emailDigest } from './normal-email.ts'

/** Name of the cookie that lists the accounts that have signed in from a browser. */
export const devicesCookie = 'civigraph_devices'
/** How long a device stays known after a sign-in, seconds. */
export const deviceLifetimeS = 180 * 86_400
const maxAccounts = 5
const idBytes = 16
const timeBytes = 6
const macBytes = 32

/**
 * Signs and reads the cookie of known devices: one entry per account that has signed in, latest first, each a random id, a time and an HMAC over both
 * and the account. Without the key an entry reveals nothing about its account, and it is invalid for any other account.
 */
export class KnownDevices {
  readonly #key: Buffer
  readonly #clock: Clock

  /** @param secret - source of the derived signature key */
  constructor(secret: Uint8Array, clock: Clock) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'known devices of the embedded issuer', 32))
    this.#clock = clock
  }

  /** Returns the id of the device if this account has signed in from it. */
  find(cookie: string | undefined, email: string): string | undefined {
    return this.#entries(cookie).find((entry) => this.#isOf(entry, email))?.id
  }

  /** Returns the cookie after a sign-in of this account. */
  remember(cookie: string | undefined, email: string): string {
    const others = this.#entries(cookie).filter((entry) => !this.#isOf(entry, email))
    const head = Buffer.alloc(idBytes + timeBytes)
    randomBytes(idBytes).copy(head)
    head.writeUIntBE(Math.floor(this.#clock.now() / 1000), idBytes, timeBytes)
    const own = Buffer.concat([head, this.#mac(head, email)]).toString('base64url')
    return [own, ...others.map(({ text }) => text)].slice(0, maxAccounts).join('.')
  }

  #entries(cookie = ''): readonly Entry[] {
    return cookie
      .split('.', maxAccounts)
      .map((text) => ({ text, bytes: Buffer.from(text, 'base64url') }))
      .filter(({ bytes }) => bytes.length === idBytes + timeBytes + macBytes)
      .map(({ text, bytes }) => ({
        text,
        id: bytes.subarray(0, idBytes).toString('base64url'),
        head: bytes.subarray(0, idBytes + timeBytes),
        mac: bytes.subarray(idBytes + timeBytes),
        signedInS: bytes.readUIntBE(idBytes, timeBytes),
      }))
  }

  #isOf({ head, mac, signedInS }: Entry, email: string): boolean {
    return timingSafeEqual(mac, this.#mac(head, email)) && this.#clock.now() / 1000 - signedInS < deviceLifetimeS
  }

  #mac(head: Buffer, email: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(emailDigest(email)).digest()
  }
}

interface Entry {
  readonly text: string
  readonly id: string
  readonly head: Buffer
  readonly mac: Buffer
  readonly signedInS: number
}
