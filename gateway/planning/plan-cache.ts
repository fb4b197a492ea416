import type { QueryPlan } from '@apollo/query-planner'
import { textCache } from '../operation/text-cache.ts'

/** A plan; undefined if nothing must be fetched. */
export type PlanRoot = QueryPlan['node']

/** A cache of plans that outlive their supergraph. */
export interface PlanCache {
  /** Returns the plan of a text with the same basis, or makes and caches one. */
  planOf(text: string, basis: string, make: () => PlanRoot): PlanRoot
}

/** @param max - number of plans, least recently used removed first */
export function planCache(max = 1000): PlanCache {
  const plans = textCache<{ readonly basis: string; readonly node: PlanRoot }>(max)
  return {
    planOf(text, basis, make) {
      const cached = plans.get(text)
      if (cached?.basis === basis) return cached.node
      const node = make()
      plans.set(text, { basis, node })
      return node
    },
  }
}
