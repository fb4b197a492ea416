import { Overloaded } from '../fault.ts'
import type { Part } from '../lifecycle.ts'

const lookEveryMs = 100
/** looks in a row that must find work waiting too long: one alone is a pause, not a load that does not end */
const looks = 5
const leastRetryMs = 1000

/** By what work comes in. */
export type Protocol = 'rest' | 'graphql' | 'graphql-ws' | 'ws' | 'socket.io' | 'subgraph'
/** What has waited too long: whatever the process does, or what waits to be written. */
export type RefusalReason = 'event_loop' | 'queue'

/** The gate as one protocol meets it. */
export interface Door {
  /** Why what would only wait is refused; undefined: it may begin. */
  refusal(kind: 'read' | 'write'): Overloaded | undefined
  /** @throws {Overloaded} the refusal, when there is one */
  admit(kind: 'read' | 'write'): void
}

/** Everything may begin. */
export const openDoor: Door = { refusal: () => undefined, admit: () => undefined }

/**
 * Refuses new work of a process before it is begun, while work that is there has waited too long for its turn for a while: a standing queue,
 * as CoDel has it, measured by the time that is waited and not by what fails. What everybody waits for is the event loop; what is
 * written waits in the queues that are watched, too. To ask it costs a comparison.
 * @see Nichols and Jacobson, "Controlling Queue Delay", ACM Queue 10 (5), 2012
 */
export class LoadGate implements Part {
  readonly name = 'load gate'
  readonly #limitMs: number
  readonly #onRefusal: (protocol: Protocol, reason: RefusalReason) => void
  readonly #queues: (() => number)[] = []
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #lateLoops = 0
  #lateQueues = 0

  /**
   * @param limitMs - how long work may wait for its turn; Infinity: nothing is refused
   * @param onRefusal - is told of each
   */
  constructor(limitMs: number, onRefusal: (protocol: Protocol, reason: RefusalReason) => void = () => undefined) {
    this.#limitMs = limitMs
    this.#onRefusal = onRefusal
  }

  /** @param oldestWaitMs - how long what waits longest to be written has waited; 0 when nothing waits */
  watch(oldestWaitMs: () => number): void {
    this.#queues.push(oldestWaitMs)
  }

  /** To be asked before anything is begun that comes in by this protocol. */
  door(protocol: Protocol): Door {
    const refusal: Door['refusal'] = (kind) => {
      const reason = this.#reason(kind)
      if (reason === undefined) return undefined
      this.#onRefusal(protocol, reason)
      // those that are refused at one moment do not come back at one moment
      return new Overloaded(leastRetryMs + Math.round(Math.random() * 2 * leastRetryMs))
    }
    const admit: Door['admit'] = (kind) => {
      const refused = refusal(kind)
      if (refused !== undefined) throw refused
    }
    return { refusal, admit }
  }

  #reason(kind: 'read' | 'write'): RefusalReason | undefined {
    if (this.#lateLoops >= looks) return 'event_loop'
    return kind === 'write' && this.#lateQueues >= looks ? 'queue' : undefined
  }

  async start(): Promise<void> {
    if (!Number.isFinite(this.#limitMs)) return
    this.#dueAt = performance.now() + lookEveryMs
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#lateLoops = 0
    this.#lateQueues = 0
  }

  #look(): void {
    const now = performance.now()
    const isLate = (waitMs: number): boolean => waitMs >= this.#limitMs
    this.#lateLoops = isLate(now - this.#dueAt) ? this.#lateLoops + 1 : 0
    this.#lateQueues = this.#queues.some((oldestWaitMs) => isLate(oldestWaitMs())) ? this.#lateQueues + 1 : 0
    this.#dueAt = now + lookEveryMs
  }
}
