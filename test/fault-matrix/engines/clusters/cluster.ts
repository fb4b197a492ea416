import { setTimeout as sleep } from 'node:timers/promises'
import { restartAfterMs, type SupervisedProcess } from '../../processes/supervised-process.ts'
import type { Engine, EngineName, Replica } from '../engine.ts'

export interface ClusterNode {
  readonly url: string
  readonly process: SupervisedProcess
}

export interface ClusterOptions {
  readonly name: EngineName
  /** The first one is the node that clients use. */
  readonly nodes: readonly [ClusterNode, ...ClusterNode[]]
  /** Addresses of the nodes, without a balancer. */
  readonly contactPoints?: readonly string[]
  /** Runs once all nodes respond, and before any client connects. */
  afterStart?(): Promise<void>
  /** Resolves when the other nodes have all data of this one. */
  untilInStep(): Promise<void>
  /** The node whose loss costs most. @param led - the node that clients use now */
  leader(led: ClusterNode): Promise<ClusterNode>
}

/**
 * An engine of several nodes on this machine. When a node is killed, clients are directed to another one a second later, as by a balancer that
 * checks the health of the nodes; the killed node is restarted, too.
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

  /** Starts the nodes one after another: some engines do not support a concurrent start. */
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
