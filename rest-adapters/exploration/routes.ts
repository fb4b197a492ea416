import { healthRoutes } from '../health.ts'
import type { Route } from '../route.ts'

export function explorationRoutes(): readonly Route[] {
  return healthRoutes('exploration')
}
