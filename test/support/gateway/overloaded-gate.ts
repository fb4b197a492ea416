import type { AdmissionGate, LoadGate } from '../../../foundation/concurrency/load-gate.ts'
import { Overloaded } from '../../../foundation/fault.ts'

/** A load gate that a test can close: it refuses the listed kinds of work. */
export class OverloadedGate implements AdmissionGate, Pick<LoadGate, 'forProtocol'> {
  tooMuch: readonly ('read' | 'write')[] = []

  refusal(kind: 'read' | 'write'): Overloaded | undefined {
    return this.tooMuch.includes(kind) ? new Overloaded(2000) : undefined
  }

  admit(kind: 'read' | 'write'): void {
    const refused = this.refusal(kind)
    if (refused !== undefined) throw refused
  }

  forProtocol(): AdmissionGate {
    return this
  }
}
