import { BlockList, isIP } from 'node:net'
import { readUrl } from '../../../foundation/text/normal-form.ts'

/** The reason why a callback is not sent to an address: "<code>: <sentence>". */
export class CallbackRefused extends Error {}

export interface AddressRules {
  /** for development: allows http and this machine */
  readonly allowLocal: boolean
}

const loopback = blockList(['127.0.0.0/8'], ['::1/128'])

/** IPv4 ranges outside the public internet (IANA special-purpose registry, RFC 6890 and its updates; multicast, reserved). */
const nonPublic4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]
/** Special ranges in 2000::/3, the only global unicast space (RFC 4291): protocol assignments with Teredo, documentation, 6to4. */
const nonPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const nonPublic = blockList(nonPublic4, nonPublic6)
const global6 = blockList([], ['2000::/3'])
const nat64 = blockList([], ['64:ff9b::/96'])
const mapped = blockList([], ['::ffff:0:0/96'])

/**
 * Returns whether a callback may be sent to an IP address: it must be public, also when mapped into IPv6 (RFC 4291) or behind NAT64 (RFC
 * 6052).
 * @param address - IPv4 or IPv6, without brackets
 */
export function mayReach(address: string, { allowLocal }: AddressRules): boolean {
  const [bare = ''] = address.split('%')
  if (isIP(bare) === 4) return (allowLocal && loopback.check(bare)) || !nonPublic.check(bare)
  if (isIP(bare) !== 6) return false
  if (mapped.check(bare, 'ipv6') || nat64.check(bare, 'ipv6')) return mayReach(lastFourBytes(bare), { allowLocal })
  return (allowLocal && loopback.check(bare, 'ipv6')) || (global6.check(bare, 'ipv6') && !nonPublic.check(bare, 'ipv6'))
}

/**
 * Validates the URL of a callback before its name is resolved.
 * @throws {CallbackRefused}
 */
export function callbackUrl(text: string, rules: AddressRules): URL {
  const url = readUrl(text)
  if (url === undefined) throw new CallbackRefused('invalid_url: The callback_url is not a URL')
  if (url.protocol !== 'https:' && !(rules.allowLocal && url.protocol === 'http:'))
    throw new CallbackRefused('not_https: The callback_url is not an https URL')
  if (url.username !== '' || url.password !== '') throw new CallbackRefused('credentials_in_url: The callback_url contains credentials')
  const host = hostOf(url)
  if (isIP(host) !== 0 && !mayReach(host, rules)) throw nonPublicAddress()
  return url
}

export const nonPublicAddress = (): CallbackRefused =>
  new CallbackRefused('inside_address: The host of the callback_url has an address outside the public internet')

/** Returns the origin: callbacks to one origin are sent one after another, independent of other origins. */
export function receiverOf(text: string): string {
  return readUrl(text)?.host.slice(0, 300) ?? ''
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Returns the IPv4 address in the last 32 bits. URL normalises IPv6 addresses to hexadecimal. */
function lastFourBytes(address: string): string {
  const groups = hostOf(new URL(`http://[${address}]`)).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function blockList(ranges4: readonly string[], ranges6: readonly string[]): BlockList {
  const list = new BlockList()
  const add = (family: 'ipv4' | 'ipv6') => (range: string) => {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  ranges4.forEach(add('ipv4'))
  ranges6.forEach(add('ipv6'))
  return list
}
