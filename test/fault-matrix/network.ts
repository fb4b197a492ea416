import { type Gate, openGate } from '../support/processes/gate.ts'

interface Link {
  readonly from: string
  readonly to: string
  readonly gate: Gate
}

/** Routes every connection through its own gate, so that one process or engine can be disconnected from all others. */
export class Network implements AsyncDisposable {
  readonly #links: Link[] = []

  /** @returns the address at which `from` reaches `to` */
  async link(from: string, to: string, url: string): Promise<string> {
    const gate = await openGate(url)
    this.#links.push({ from, to, gate })
    return gate.url
  }

  /** The gates on either side of this process or engine. */
  of(name: string): readonly Gate[] {
    return this.#links.filter(({ from, to }) => from === name || to === name).map(({ gate }) => gate)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#links.map(({ gate }) => gate[Symbol.asyncDispose]()))
  }
}
