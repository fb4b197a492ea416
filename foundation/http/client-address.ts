import type { IncomingMessage } from 'node:http'
import { canonicalAddress } from '../network-address.ts'

/**
 * Returns the client address: that of the connection, or behind trusted proxies the entry of X-Forwarded-For that the outermost trusted proxy added.
 * Entries further left come from the client and are ignored; an invalid entry means the address of the connection. @param trustedProxies -
 * TRUST_PROXY: number of trusted proxies in front of this process
 * @returns in canonical form without port and zone; undefined after the connection has closed
 */
export function clientAddress(
  { socket, headers }: { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>; readonly headers: IncomingMessage['headers'] },
  trustedProxies: number,
): string | undefined {
  const { remoteAddress = '' } = socket
  // Node joins several header lines in order
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((header) => header.split(','))
  const entry = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  return (entry === undefined ? undefined : canonicalAddress(entry)) ?? canonicalAddress(remoteAddress) ?? (remoteAddress || undefined)
}
