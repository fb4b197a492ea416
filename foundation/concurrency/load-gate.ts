import { Overloaded } from '../fault.ts'
import type { Part } from '../lifecycle.ts'

const pollEveryMs = 100
/** consecutive measurements above the limit that count as overload; a single one is a pause */
const samples = 5
const minRetryMs = 1000

/** The protocol by which work arrives. */
export type Protocol = 'rest' | 'graphql' | 'graphql-ws' | 'ws' | 'socket.io' | 'subgraph'
/** What has waited too long: the event loop or the write queues. */
export type RefusalReason = 'event_loop' | 'queue'

/** The gate as seen by one protocol. */
export interface AdmissionGate {
  /** Returns the refusal of new work, or undefined if it is admitted. */
  refusal(kind: 'read' | 'write'): Overloaded | undefined
  /** @throws {Overloaded} if new work is refused */
  admit(kind: 'read' | 'write'): void
}

/** Admits everything. */
export const alwaysOpenGate: AdmissionGate = { refusal: () => undefined, admit: () => undefined }

/**
 * Refuses new work while work already admitted has waited too long for a sustained period. Measures queueing delay as CoDel does, in the event loop
 * and in the watched write queues. A check costs one comparison.
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
   * @param limitMs - maximum queueing delay; Infinity: nothing is refused
   * @param onRefusal - called for each refusal
   */
  constructor(limitMs: number, onRefusal: (protocol: Protocol, reason: RefusalReason) => void = () => undefined) {
    this.#limitMs = limitMs
    this.#onRefusal = onRefusal
  }

  /** @param oldestWaitMs - returns how long the oldest queued write has waited; 0 if the queue is empty */
  watch(oldestWaitMs: () => number): void {
    this.#queues.push(oldestWaitMs)
  }

  /** Returns the gate for one protocol, which is checked before any work begins. */
  forProtocol(protocol: Protocol): AdmissionGate {
    const refusal: AdmissionGate['refusal'] = (kind) => {
      const reason = this.#reason(kind)
      if (reason === undefined) return undefined
      this.#onRefusal(protocol, reason)
      // jitter, so that refused clients do not all return at the same moment
      return new Overloaded(minRetryMs + Math.round(Math.random() * 2 * minRetryMs))
    }
    const admit: AdmissionGate['admit'] = (kind) => {
      const refused = refusal(kind)
      if (refused !== undefined) throw refused
    }
    return { refusal, admit }
  }

  #reason(kind: 'read' | 'write'): RefusalReason | undefined {
    if (this.#lateLoops >= samples) return 'event_loop'
    return kind === 'write' && this.#lateQueues >= samples ? 'queue' : undefined
  }

  async start(): Promise<void> {
    if (!Number.isFinite(this.#limitMs)) return
    this.#dueAt = performance.now() + pollEveryMs
    this.#timer = setInterval(() => this.#measure(), pollEveryMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#lateLoops = 0
    this.#lateQueues = 0
  }

  #measure(): void {
    const now = performance.now()
    const isLate = (waitMs: number): boolean => waitMs >= this.#limitMs
    this.#lateLoops = isLate(now - this.#dueAt) ? this.#lateLoops + 1 : 0
    this.#lateQueues = this.#queues.some((oldestWaitMs) => isLate(oldestWaitMs())) ? this.#lateQueues + 1 : 0
    this.#dueAt = now + pollEveryMs
  }
}
