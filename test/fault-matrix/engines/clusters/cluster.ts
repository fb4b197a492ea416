import { setTimeout as sleep } from 'node:timers/promises'
import { restartAfterMs, type SupervisedProcess } from '../../processes/supervised-process.ts'
import type { Engine, EngineName, Replica } from '../engine.ts'

export interface ClusterNode {
  readonly url: string
  readonly process: SupervisedProcess
}

export interface ClusterOptions {
  readonly name: EngineName
  /** the first is the one that clients are led to */
  readonly nodes: readonly [ClusterNode, ...ClusterNode[]]
  /** where clients reach the nodes by themselves, without a balancer before them */
  readonly contactPoints?: readonly string[]
  /** Once all of them answer, and before anybody else asks. */
  afterStart?(): Promise<void>
  /** Resolves when the others have everything that one of them has. */
  untilInStep(): Promise<void>
  /** Whose loss costs most. @param led - whom clients are led to now */
  leader(led: ClusterNode): Promise<ClusterNode>
}

/**
 * An engine of several nodes on this machine. When one is killed, clients are led to another one a second later, as by a balancer that
 * asks after the nodes' health; the killed one is started again, too.
 */
export class Cluster implements Engine {
  readonly disk = undefined
  readonly #options: ClusterOptions
  #led: ClusterNode

  constructor(options: ClusterOptions) {
    this.#options = options
    this.#led = options.nodes[0]
  }

  get name(): EngineName {
    return this.#options.name
  }

  get url(): string {
    return this.#led.url
  }

  get contactPoints(): readonly string[] | undefined {
    return this.#options.contactPoints
  }

  /** One after another: some may not be made side by side. */
  async start(): Promise<void> {
    for (const { process } of this.#options.nodes) await process.start()
    await this.#options.afterStart?.()
  }

  stop = (): Promise<void> => this.#all((process) => process.stop())
  kill = (): Promise<void> => this.#all((process) => process.kill())
  freeze = (): Promise<void> => this.#all((process) => process.freeze())
  thaw = (): Promise<void> => this.#all((process) => process.thaw())
  untilReady = (): Promise<void> => this.#all((process) => process.untilReady())

  async restartEmpty(): Promise<void> {
    await this.stop()
    await this.start()
  }

  async openReplica(): Promise<Replica> {
    await this.#options.untilInStep()
    const lost = await this.#options.leader(this.#led)
    return {
      promote: async () => {
        await lost.process.kill()
        await sleep(restartAfterMs)
        this.#led = this.#options.nodes.find((node) => node !== lost) ?? lost
        return this.#led.url
      },
    }
  }

  async #all(each: (process: SupervisedProcess) => Promise<void>): Promise<void> {
    await Promise.all(this.#options.nodes.map(({ process }) => each(process)))
  }
}
