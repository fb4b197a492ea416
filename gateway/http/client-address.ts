import type { IncomingMessage } from 'node:http'
import { canonicalAddress } from '../../foundation/network-address.ts'

/**
 * Returns the address of the client: the other end of the connection, or, behind trusted proxies, the entry of X-Forwarded-For that the
 * outermost of them wrote. Entries further left come from the client and never count; an entry that is no address counts as the other end.
 * @param trustedProxies - TRUST_PROXY: how many trusted proxies stand before this process
 * @returns in canonical form, without port and zone; undefined once the connection has closed
 */
export function clientAddress(
  { socket, headers }: { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>; readonly headers: IncomingMessage['headers'] },
  trustedProxies: number,
): string | undefined {
  const { remoteAddress = '' } = socket
  // Node joins several header lines in their order
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((header) => header.split(','))
  const entry = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  return (entry === undefined ? undefined : canonicalAddress(entry)) ?? canonicalAddress(remoteAddress) ?? (remoteAddress || undefined)
}
