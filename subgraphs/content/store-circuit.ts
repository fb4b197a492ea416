import { Circuit } from '../foundation/circuit.ts'
import type { Clock } from '../foundation/clock.ts'

/** Readers of a tree wait 0.8 s at most for its store; while it is away one of them asks again each second. */
export const storeCircuit = (clock: Clock): Circuit =>
  new Circuit({ clock, engine: 'content store', answerLimitMs: 800, retryEveryMs: 1000 })
