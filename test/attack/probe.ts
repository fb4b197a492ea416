/** The answers that an uninvolved client got while attacks ran. */
export interface ProbeResult {
  readonly count: number
  readonly failures: number
  readonly slowestMs: number
}

const intervalMs = 100
const timeoutMs = 30_000

/** Sends `/health` and a small query every 100 ms until `stop` is called, as a client that has nothing to do with the attack. */
export function startProbe(graphqlUrl: string, restUrls: readonly string[]): { stop(): Promise<ProbeResult>; reset(): ProbeResult } {
  let result = { count: 0, failures: 0, slowestMs: 0 }
  const running = new Set<Promise<void>>()
  const ask = async (url: string, init?: RequestInit): Promise<void> => {
    const startedAt = performance.now()
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
      await response.arrayBuffer()
      if (response.status >= 500) result.failures++
    } catch {
      result.failures++
    }
    result.count++
    result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt)
  }
  const query = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{domains{totalCount}}"}' }
  let turn = 0
  const timer = setInterval(() => {
    const rest = restUrls[turn++ % restUrls.length]
    for (const request of [ask(graphqlUrl, query), ...(rest === undefined ? [] : [ask(`${rest}/health/live`)])]) {
      running.add(request)
      void request.finally(() => running.delete(request))
    }
  }, intervalMs)
  const reset = (): ProbeResult => {
    const before = result
    result = { count: 0, failures: 0, slowestMs: 0 }
    return before
  }
  return {
    reset,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return reset()
    },
  }
}
