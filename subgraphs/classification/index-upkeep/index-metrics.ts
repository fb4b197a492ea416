import { Counter, Gauge, type Registry } from 'prom-client'
import type { IndexDrift } from '../../../engines/search-index/drift-report.ts'

const kinds = ['missing', 'stale', 'extra'] as const

/** Creates the metrics of index maintenance. @returns a function that records a comparison whose differences were repaired */
export function indexMetrics(registry: Registry): (drift: IndexDrift) => void {
  const registers = [registry]
  const drift = new Gauge({
    name: 'civigraph_search_index_drift',
    help: 'Expressions that differed between search index and analytics database in the most recent comparison',
    labelNames: ['kind'],
    registers,
  })
  const repaired = new Counter({
    name: 'civigraph_search_index_mended_total',
    help: 'Expressions added to or removed from the search index because they differed',
    labelNames: ['kind'],
    registers,
  })
  const compared = new Gauge({
    name: 'civigraph_search_index_compared_expressions',
    help: 'Expressions of the analytics database that the most recent comparison read',
    registers,
  })
  return (differences) => {
    for (const kind of kinds) {
      drift.set({ kind }, differences[kind])
      repaired.inc({ kind }, differences[kind])
    }
    compared.set(differences.compared)
  }
}
