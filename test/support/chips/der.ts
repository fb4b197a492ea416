/** Values of ASN.1 in DER, for chips and certificates that tests generate. */

export function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const digits = content.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const head = tag > 0xff ? [tag >> 8, tag & 0xff] : [tag]
  return Buffer.concat([
    Buffer.from(head),
    content.length < 0x80 ? length : Buffer.concat([Buffer.of(0x80 + length.length), length]),
    content,
  ])
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => tagged(0x30, ...members)
export const set = (...members: readonly Uint8Array[]): Buffer => tagged(0x31, ...members)
export const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes)
export const bits = (bytes: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.of(unused), bytes)
export const printable = (text: string): Buffer => tagged(0x13, Buffer.from(text, 'latin1'))
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text))
export const empty = Buffer.of(0x05, 0x00)
export const yes = Buffer.of(0x01, 0x01, 0xff)

export function integer(value: number): Buffer {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return tagged(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

/** An object identifier: `2.5.4.6`. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const base128 = (value: number): number[] =>
    value < 128 ? [value] : [...base128(Math.floor(value / 128)).map((byte) => byte | 0x80), value % 128]
  // all bytes of a number except the last have the high bit
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

export const generalizedTime = (at: Date): Buffer =>
  tagged(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`, 'latin1'))
