import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { signalTree } from '../processes/process-tree.ts'
import { restartAfterMs } from '../processes/supervised-process.ts'
import type { Engine, EngineName } from './engine.ts'
import type { SmallDisk } from './small-disk.ts'

const upLimitMs = 300_000

export interface ControlledOptions {
  readonly name: EngineName
  /** ENGINE_CTL: understands `up NAME`, `down NAME`, `kill NAME` and `status`, as in test/faults */
  readonly control: string
  /** Folder and port of the command. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  readonly disk: SmallDisk | undefined
  /** Whether it has only data that the platform can rebuild. */
  readonly derived: boolean
  /** Waits longer than `up` does. */
  warmUp?(): Promise<void>
}

/** An engine that a command starts and stops. */
export class ControlledEngine implements Engine {
  readonly #options: ControlledOptions

  constructor(options: ControlledOptions) {
    this.#options = options
  }

  get name(): EngineName {
    return this.#options.name
  }

  get url(): string {
    return this.#options.url
  }

  get disk(): SmallDisk | undefined {
    return this.#options.disk
  }

  async start(): Promise<void> {
    await this.#control('up')
    await this.#options.warmUp?.()
  }

  stop = async (): Promise<void> => void (await this.#control('down'))

  async kill(): Promise<void> {
    await this.#control('kill')
    await sleep(restartAfterMs)
    await this.#control('up')
  }

  freeze = (): Promise<void> => this.#signal('SIGSTOP')
  thaw = (): Promise<void> => this.#signal('SIGCONT')

  async restartEmpty(): Promise<void> {
    await this.stop()
    if (this.#options.derived) await this.disk?.clear()
    await this.start()
  }

  /** Restarts an engine that has ended, with any number of attempts. */
  async untilReady(): Promise<void> {
    for (const until = Date.now() + upLimitMs; ; await sleep(restartAfterMs))
      try {
        return await this.start()
      } catch (error) {
        if (Date.now() > until) throw error
      }
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const status = await this.#control('status')
    const pid = new RegExp(`^${this.name} running, pid (\\d+)`, 'm').exec(status)?.[1]
    if (pid !== undefined) await signalTree(Number(pid), signal)
  }

  async #control(verb: 'up' | 'down' | 'kill' | 'status'): Promise<string> {
    const { control, env, name } = this.#options
    const { stdout } = await promisify(execFile)(control, [verb, name], { env: { ...process.env, ...env }, timeout: upLimitMs })
    return stdout
  }
}
