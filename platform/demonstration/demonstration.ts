import { postgresAnalyticsStore } from '../../engines/analytics-store/postgres-analytics-store.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Executor } from '../../gateway/executor/executor.ts'
import type { Composition } from '../engines/composition.ts'
import { showsDemonstrationData, showsDemonstrationTree } from './eligibility.ts'

/** Returns the parts that load the demonstration once the platform serves; its texts are read only when needed. */
export async function demonstrationParts({ config, roles, engines, log }: Composition, executor: Executor): Promise<readonly Part[]> {
  const { dataDir } = config
  const parts: Part[] = []
  const own = log.child({ component: 'demonstration' })
  if (showsDemonstrationData(config, roles.all)) {
    const { demonstrationData } = await import('./expressions.ts')
    parts.push(demonstrationData({ executor, store: postgresAnalyticsStore(engines), dataDir, log: own }))
  }
  if (showsDemonstrationTree(config, roles.all)) {
    const { demonstrationTree } = await import('./magazine.ts')
    parts.push(demonstrationTree({ executor, dataDir, log: own }))
  }
  return parts
}
