import type { TreeStore } from '../../../engines/tree-store/tree-store.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Circuit } from '../../../foundation/concurrency/circuit-breaker.ts'

/** Readers of a tree wait 0.8 s at most for its store; while it is away one of them asks again each second. */
export const storeCircuit = (clock: Clock): Circuit =>
  new Circuit({ clock, engine: 'content store', answerLimitMs: 800, retryEveryMs: 1000 })

/** While the store is away, who wants to write is told so at once. A draft shows that it is back. */
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
