import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import type { Variant } from './harness.ts'

/** What a server under measurement tells the process that loads it. */
export type ServerMessage = { readonly url: string } | { readonly cpuMicroseconds: number }

export interface Load {
  readonly body: string
  readonly connections: number
  readonly seconds: number
}

/**
 * A server in a process of its own, under POST load from this one. Besides requests per second and latency it is asked what processor
 * time it used: on a machine shared with others that is the steadier figure.
 * @param module - file that calls `serve`
 */
export async function servedVariant(name: string, module: URL, load: Load): Promise<Variant & { readonly url: string }> {
  const child = fork(module, ['serve', name], { env: { ...process.env, NODE_ENV: 'production', APOLLO_TELEMETRY_DISABLED: '1' } })
  const started = await answerOf(child)
  if (!('url' in started)) throw new Error(`${name} did not start`)
  const { url } = started
  const cpu = async (): Promise<number> => {
    child.send('cpu')
    const answer = await answerOf(child)
    return 'cpuMicroseconds' in answer ? answer.cpuMicroseconds : Number.NaN
  }
  return {
    name,
    url,
    async measure() {
      const before = await cpu()
      const { body, connections, seconds: duration } = load
      const result = await autocannon({ url, method: 'POST', headers: { 'content-type': 'application/json' }, body, connections, duration })
      const used = (await cpu()) - before
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
      return {
        'requests/s': result.requests.average,
        'p50 ms': result.latency.p50,
        'p99 ms': result.latency.p99,
        'CPU us/request': used / result.requests.total,
      }
    },
    async stop() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** In the server's process: tells where it answers, then what processor time it has used whenever it is asked. */
export function serve(url: string): void {
  const tell = (message: ServerMessage): void => void process.send?.(message)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    tell({ cpuMicroseconds: user + system })
  })
  process.on('disconnect', () => process.exit())
  tell({ url })
}

async function answerOf(child: ChildProcess): Promise<ServerMessage> {
  const answered = new AbortController()
  const ended = once(child, 'exit', { signal: answered.signal }).then(([code]): never => {
    throw new Error(`a server under measurement ended with ${code}`)
  })
  try {
    // Only `serve` above sends messages.
    const [message] = (await Promise.race([once(child, 'message', { signal: answered.signal }), ended])) as [ServerMessage]
    return message
  } finally {
    ended.catch(() => undefined)
    answered.abort()
  }
}
