import { Overloaded } from '../fault.ts'
import type { Part } from '../lifecycle.ts'

const lookEveryMs = 100
/** looks in a row that must find work waiting too long: one alone is a pause, not a load that does not end */
const looks = 5
const leastRetryMs = 1000

/**
 * Refuses new work of a process before it is begun, while work that is there has waited too long for its turn for a while: a standing queue,
 * as CoDel has it, measured by the time that is waited and not by what fails. What everybody waits for is the event loop; what is
 * written waits in the queues that are watched, too. To ask it costs a comparison.
 * @see Nichols and Jacobson, "Controlling Queue Delay", ACM Queue 10 (5), 2012
 */
export class LoadGate implements Part {
  readonly name = 'load gate'
  readonly #limitMs: number
  readonly #queues: (() => number)[] = []
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #lateLoops = 0
  #lateQueues = 0

  /** @param limitMs - how long work may wait for its turn; Infinity: nothing is refused */
  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** @param oldestWaitMs - how long what waits longest to be written has waited; 0 when nothing waits */
  watch(oldestWaitMs: () => number): void {
    this.#queues.push(oldestWaitMs)
  }

  /** Why what would only wait is refused; undefined: it may begin. */
  refusal(kind: 'read' | 'write'): Overloaded | undefined {
    if (this.#lateLoops < looks && (kind === 'read' || this.#lateQueues < looks)) return undefined
    // those that are refused at one moment do not come back at one moment
    return new Overloaded(leastRetryMs + Math.round(Math.random() * 2 * leastRetryMs))
  }

  /** @throws {Overloaded} the refusal, when there is one */
  admit(kind: 'read' | 'write'): void {
    const refusal = this.refusal(kind)
    if (refusal !== undefined) throw refusal
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
