import type { TreeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { TreeStore } from '../../../engines/tree-store/tree-store.ts'
import { type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

/** minimum interval between snapshots; a large tree may use a tenth of the time */
const everyMs = 2000
const shareOfTime = 10

/** Updates the snapshots from the store. */
export function snapshotUpkeep(options: { readonly store: TreeStore; readonly snapshots: TreeSnapshots; readonly log: Log }): Part {
  const { store, snapshots, log } = options
  const taken = new Map<string, { readonly version: number; readonly nextAt: number }>()
  let isKnown = false
  return periodic(
    'snapshots of content',
    everyMs,
    async (signal) => {
      if (!isKnown) for (const { tenant, number } of await snapshots.versions()) taken.set(tenant, { version: number, nextAt: 0 })
      isKnown = true
      for (const { tenant, number } of await store.versions(signal)) {
        const last = taken.get(tenant)
        if (last !== undefined && (last.version === number || performance.now() < last.nextAt)) continue
        const from = performance.now()
        const view = await store.latest(tenant, signal)
        if (view === undefined) continue
        await snapshots.write(view, signal)
        taken.set(tenant, { version: view.version.number, nextAt: performance.now() + shareOfTime * (performance.now() - from) })
      }
    },
    (error) => log.warn({ err: error }, 'the snapshot of content could not be updated; retrying'),
    () => log.info('the snapshot of content is up to date again'),
  )
}
