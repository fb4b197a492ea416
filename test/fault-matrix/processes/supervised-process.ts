import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, signalTree } from './process-tree.ts'

export const restartAfterMs = 1000
const stopLimitMs = 30_000
const readyLimitMs = 180_000
const maxOutputLength = 200_000

export interface SupervisedOptions {
  readonly name: string
  spawn(): ChildProcess
  /** @param output - combined output of the process so far */
  isReady(output: string): Promise<boolean> | boolean
  /** Signal for an orderly shutdown. */
  readonly stopSignal?: NodeJS.Signals
  /** File that also receives the output. */
  readonly logFile?: string | undefined
}

/** A process that is restarted a second after it has ended for any reason, as a service manager does. */
export class SupervisedProcess {
  readonly name: string
  readonly #options: SupervisedOptions
  #child: ChildProcess | undefined
  #wanted = false
  #ready = false
  #output = ''

  constructor(options: SupervisedOptions) {
    this.name = options.name
    this.#options = options
  }

  /** Output of the current process; the end of a long output. */
  get output(): string {
    return this.#output
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    this.#wanted = true
    this.#spawn()
    await this.untilReady()
  }

  /** @throws {Error} with the last output, when it is not ready in three minutes */
  async untilReady(limitMs = readyLimitMs): Promise<void> {
    for (const until = Date.now() + limitMs; !(await this.isReady()); await sleep(50))
      if (Date.now() > until) throw new Error(`${this.name} is not ready after ${limitMs} ms: ${this.#output.slice(-2000)}`)
  }

  async isReady(): Promise<boolean> {
    if (this.#child === undefined) return false
    this.#ready ||= await this.#options.isReady(this.#output)
    return this.#ready
  }

  /** For example SIGTERM: the process may shut down slowly. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
    this.#ready = false
  }

  /** kill -9 of the process and its descendants. */
  async kill(): Promise<void> {
    this.#ready = false
    if (this.pid !== undefined) await signalTree(this.pid, 'SIGKILL')
  }

  async freeze(): Promise<void> {
    if (this.pid !== undefined) await signalTree(this.pid, 'SIGSTOP')
  }

  async thaw(): Promise<void> {
    if (this.pid !== undefined) await signalTree(this.pid, 'SIGCONT')
  }

  /** Ends it without a restart. @param signal - SIGKILL to end it at once */
  async stop(signal = this.#options.stopSignal ?? 'SIGTERM'): Promise<void> {
    this.#wanted = false
    const { pid } = this
    if (pid === undefined) return
    await this.thaw()
    if (signal === 'SIGKILL') await signalTree(pid, signal)
    else this.signal(signal)
    const until = Date.now() + stopLimitMs
    for (; this.#child !== undefined; await sleep(20)) if (Date.now() > until) await signalTree(pid, 'SIGKILL')
    while (isRunning(pid)) await sleep(20)
  }

  #spawn(): void {
    if (!this.#wanted || this.#child !== undefined) return
    this.#ready = false
    this.#output = ''
    const child = this.#options.spawn()
    this.#child = child
    const append = (text: string): void => {
      this.#output = (this.#output + text).slice(-maxOutputLength)
    }
    const { logFile } = this.#options
    const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', append)
      if (log !== undefined) stream?.pipe(log, { end: false })
    }
    const again = (): void => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#ready = false
      setTimeout(() => this.#spawn(), restartAfterMs)
    }
    child.once('exit', again).once('error', again)
  }
}
