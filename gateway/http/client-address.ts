import type { IncomingMessage } from 'node:http'

/**
 * Where a request comes from: the other end of the connection, or, behind proxies of ours, what the outermost of them wrote into
 * X-Forwarded-For. What a client writes there itself stands further left and does not count.
 * @param trustedProxies - TRUST_PROXY: how many proxies of ours stand before this process
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: number,
): string | undefined {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((header) => header.split(','))
  const seen = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  return seen === undefined || seen === '' ? socket.remoteAddress : seen.slice(0, 64)
}
