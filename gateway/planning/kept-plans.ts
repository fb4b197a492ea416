import type { QueryPlan } from '@apollo/query-planner'
import { textCache } from '../admission/text-cache.ts'

/** A plan; undefined where nothing is to be fetched. */
export type PlanRoot = QueryPlan['node']

/** Plans that outlive the supergraph for which they were made. */
export interface KeptPlans {
  /** The plan that was made for this text on the same basis; else the one that is made now, which is kept. */
  planOf(text: string, basis: string, make: () => PlanRoot): PlanRoot
}

/** @param max - the most recently used */
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
