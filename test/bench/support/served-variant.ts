import autocannon from 'autocannon'
import type { Variant } from './harness.ts'
import { startServer } from './server-process.ts'

export interface Load {
  /** Without it the requests are GET. */
  readonly body?: string
  readonly connections: number
  readonly seconds: number
}

/**
 * A server in its own process, under load from this one. Besides requests per second and latency it reports its processor time,
 * the steadier figure on a shared machine.
 * @param module - file that calls `serve`
 */
export async function servedVariant(
  name: string,
  module: URL,
  load: Load,
  more: readonly string[] = [],
): Promise<Variant & { readonly url: string }> {
  const { url, query, stop } = await startServer(module, name, more)
  const { body, connections, seconds: duration } = load
  const options =
    body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body }
  return {
    name,
    url,
    async measure() {
      const before = await query('cpuMicroseconds')
      const result = await autocannon({ url, ...options, connections, duration })
      const used = (await query('cpuMicroseconds')) - before
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
      return {
        'requests/s': result.requests.average,
        'p50 ms': result.latency.p50,
        'p99 ms': result.latency.p99,
        'CPU us/request': used / result.requests.total,
      }
    },
    stop,
  }
}

/** @throws {Error} when variants return different bytes for a POST of the body */
export async function sameAnswers(variants: readonly { readonly url: string }[], body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answers = await Promise.all(variants.map(async ({ url }) => (await fetch(url, { method: 'POST', headers, body })).text()))
  if (new Set(answers.map((answer) => answer.trim())).size !== 1)
    throw new Error(`the variants do not answer the same: ${answers.join('')}`)
}
