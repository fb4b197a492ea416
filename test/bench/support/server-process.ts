import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Values that a server reports, by name of the question. */
export type Questions = Readonly<Record<string, () => Promise<number> | number>>

/** A server in its own process, so that the measurement does not use its processor time. */
export interface ServerProcess {
  readonly url: string
  query(question: string): Promise<number>
  stop(): Promise<void>
}

/**
 * @param module - file that calls `serve` when its first argument is "serve"  @param name - name of the server
 * @param more - further arguments
 */
export async function startServer(module: URL, name: string, more: readonly string[] = []): Promise<ServerProcess> {
  const child = fork(module, ['serve', name, ...more], {
    env: { ...process.env, NODE_ENV: 'production', APOLLO_TELEMETRY_DISABLED: '1' },
    execArgv: ['--expose-gc'],
  })
  const url = await answerOf(child, name)
  if (typeof url !== 'string') throw new Error(`${name} did not start`)
  return {
    url,
    async query(question) {
      child.send(question)
      return Number(await answerOf(child, name))
    },
    async stop() {
      // Hive's server waits for keep-alive connections
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** Values that every server reports. */
const ofItself: Questions = {
  cpuMicroseconds: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  memoryMb: () => process.memoryUsage.rss() / 2 ** 20,
  /** heap in use after garbage collection */
  heapMb: async () => {
    for (let time = 0; time < 3; time += 1) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return process.memoryUsage().heapUsed / 2 ** 20
  },
}

/** In the server's process: sends its address to the parent, then the value for each question. */
export function serve(url: string, questions: Questions = {}): void {
  const all = { ...ofItself, ...questions }
  process.on('message', async (question) => {
    process.send?.((await all[String(question)]?.()) ?? Number.NaN)
  })
  process.on('disconnect', () => process.exit())
  process.send?.(url)
}

async function answerOf(child: ChildProcess, name: string): Promise<unknown> {
  const answered = new AbortController()
  const ended = once(child, 'exit', { signal: answered.signal }).then(([code]): never => {
    throw new Error(`${name}, a server under measurement, ended with ${code}`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: answered.signal }), ended])
    return message
  } finally {
    ended.catch(() => undefined)
    answered.abort()
  }
}
