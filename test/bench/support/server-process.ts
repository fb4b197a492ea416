import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Answers of a server to what it is asked, by name. */
export type Questions = Readonly<Record<string, () => Promise<number> | number>>

/** A server in a process of its own, so that measuring it does not use its processor time. */
export interface ServerProcess {
  readonly url: string
  query(question: string): Promise<number>
  stop(): Promise<void>
}

/**
 * @param module - file that calls `serve` when its first argument is "serve"  @param name - which of its servers
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
      // Hive's server waits for connections that are kept alive.
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** What every server can say of itself. */
const ofItself: Questions = {
  cpuMicroseconds: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  memoryMb: () => process.memoryUsage.rss() / 2 ** 20,
  /** what is left after everything that can be freed has been */
  heapMb: async () => {
    for (let time = 0; time < 3; time += 1) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return process.memoryUsage().heapUsed / 2 ** 20
  },
}

/** In the server's process: tells where it answers, then whatever it is asked. */
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
