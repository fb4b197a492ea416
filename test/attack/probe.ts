/** Responses that a client without part in the attack received while attacks ran. */
export interface ProbeResult {
  readonly count: number
  /** Status or error of each failed request. */
  readonly failures: readonly string[]
  readonly slowestMs: number
}

const intervalMs = 100
const timeoutMs = 30_000

/** Small queries of an ordinary client; each must return data and no errors. */
const queries = ['{domains{version}}', '{expressions(first:5){edges{node{id}}}}'].map((query) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
}))

export interface Probe {
  /** Resolves when every request sent so far has its response. */
  settled(): Promise<void>
  /** @returns the results since the last call */
  reset(): ProbeResult
  stop(): Promise<ProbeResult>
}

/** Sends `/health/live` and a small query every 100 ms until `stop` is called. */
export function startProbe(graphqlUrl: string, restUrls: readonly string[]): Probe {
  let result: ProbeResult = { count: 0, failures: [], slowestMs: 0 }
  const running = new Set<Promise<void>>()
  const timedRequest = async (url: string, init?: RequestInit): Promise<void> => {
    const startedAt = performance.now()
    let failure: string | undefined
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
      const text = await response.text()
      if (response.status !== 200 || text.startsWith('{"errors"')) failure = `${response.status} ${text.slice(0, 200)}`
    } catch (error) {
      failure = String(error)
    }
    const waitedMs = performance.now() - startedAt
    result = {
      count: result.count + 1,
      failures: failure === undefined ? result.failures : [...result.failures, `${url}: ${failure}`],
      slowestMs: Math.max(result.slowestMs, waitedMs),
    }
  }
  let turn = 0
  const timer = setInterval(() => {
    const rest = restUrls[turn % restUrls.length]
    const query = queries[turn++ % queries.length]
    for (const request of [timedRequest(graphqlUrl, query), ...(rest === undefined ? [] : [timedRequest(`${rest}/health/live`)])]) {
      running.add(request)
      void request.finally(() => running.delete(request))
    }
  }, intervalMs)
  const reset = (): ProbeResult => {
    const before = result
    result = { count: 0, failures: [], slowestMs: 0 }
    return before
  }
  const settled = async (): Promise<void> => void (await Promise.all(running))
  return {
    settled,
    reset,
    async stop() {
      clearInterval(timer)
      await settled()
      return reset()
    },
  }
}
