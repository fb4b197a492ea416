import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { environment } from '../../foundation/config/environment.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { outputFolder } from './build-steps.ts'

/** A platform process that source changes restart. */
export interface Unit {
  readonly isRunning: boolean
  start(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
  /** ends it immediately */
  kill(): void
}

const drainMs = 700

/** without METRICS_PORT, which only one process can use: each takes a free port */
const { METRICS_PORT: _, ...settings } = environment

/** @param roles - as on the command line of `npm start` */
export function createUnit(name: string, roles: readonly string[]): Unit {
  let child: ChildProcess | undefined

  /** Resolves when the process is ready or has exited; prefixes its output with the unit name. */
  const start = async (): Promise<void> => {
    const inspect = process.argv.includes('--inspect') ? ['--inspect=127.0.0.1:0'] : []
    const words = ['--enable-source-maps', ...inspect, join(outputFolder, 'platform/main.js'), ...roles]
    const started = spawn(process.execPath, words, { cwd: projectFolder, env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    const ready = new Promise<void>((resolve) => {
      for (const stream of [started.stdout, started.stderr]) {
        let rest = ''
        stream.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) {
            process.stdout.write(`[${name}] ${line}\n`)
            if (line.startsWith('ready in ')) resolve()
          }
        })
      }
      started.once('close', () => resolve())
    })
    await ready
    if (started.exitCode !== null && started.exitCode !== 0)
      process.stdout.write(`[dev] ${name} exited with code ${started.exitCode}; the next change restarts it\n`)
  }

  const stop = async (): Promise<void> => {
    const running = child
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const closed = once(running, 'close')
    running.kill('SIGTERM')
    // a second signal ends a drain
    const force = setTimeout(() => running.kill('SIGTERM'), drainMs)
    await closed
    clearTimeout(force)
  }

  return {
    get isRunning() {
      return child !== undefined && child.exitCode === null && child.signalCode === null
    },
    start,
    stop,
    async restart() {
      await stop()
      await start()
    },
    kill: () => void child?.kill('SIGKILL'),
  }
}
