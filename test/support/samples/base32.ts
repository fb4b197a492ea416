/** Encodes like the seals of 2D-Doc: RFC 4648 without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('')
}
