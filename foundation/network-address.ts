import { isIPv4, isIPv6 } from 'node:net'

/**
 * Parses an IP address as proxies and sockets write it: `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::1`, `[2001:db8::1]:4711`, `fe80::1%eth0`.
 * @returns the address without port and zone, IPv6 in canonical form (RFC 5952), IPv4-mapped IPv6 as IPv4; undefined if it is invalid
 */
export function canonicalAddress(text: string): string | undefined {
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5})$/.exec(text) ?? []
  const [address = ''] = (bracketed ?? beforePort ?? text).split('%', 1)
  if (isIPv4(address)) return bracketed === undefined ? address : undefined
  if (!isIPv6(address)) return undefined
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return canonical
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}

/**
 * Returns the unit that limits count: an IPv4 address, or the /64 of an IPv6 address, the smallest network of one subscriber (RFC 6177). Returns
 * other text unchanged.
 */
export function networkOf(text: string): string {
  const address = canonicalAddress(text) ?? text
  if (!isIPv6(address)) return address
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}
