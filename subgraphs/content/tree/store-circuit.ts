import type { TreeStore } from '../../../engines/tree-store/tree-store.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Circuit } from '../../../foundation/concurrency/circuit-breaker.ts'

/** Readers wait at most 0.8 s for the store; while it is unavailable, one of them retries every second. */
export const storeCircuit = (clock: Clock): Circuit =>
  new Circuit({ clock, engine: 'content store', answerLimitMs: 800, retryEveryMs: 1000 })

/** While the store is unavailable, writes fail at once. A successful draft closes the circuit. */
export function guarded(store: TreeStore, circuit: Circuit): TreeStore {
  return {
    ...store,
    async write(tenant, work, signal, window) {
      circuit.check()
      return store.write(
        tenant,
        (draft) => {
          circuit.close()
          return work(draft)
        },
        signal,
        window,
      )
    },
  }
}
