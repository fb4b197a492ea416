import type { QueryPlan } from '@apollo/query-planner'
import { textCache } from '../operation/text-cache.ts'

/** A plan; undefined if nothing must be fetched. */
export type PlanRoot = QueryPlan['node']

/** A cache of plans that outlive their supergraph. */
export interface KeptPlans {
  /** Returns the plan of a text with the same basis, or makes and caches one. */
  planOf(text: string, basis: string, make: () => PlanRoot): PlanRoot
}

/** @param max - number of plans, least recently used removed first */
export function keptPlans(max = 1000): KeptPlans {
  const plans = textCache<{ readonly basis: string; readonly node: PlanRoot }>(max)
  return {
    planOf(text, basis, make) {
      const known = plans.get(text)
      if (known?.basis === basis) return known.node
      const node = make()
      plans.set(text, { basis, node })
      return node
    },
  }
}
