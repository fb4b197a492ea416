import { healthRoutes } from '../health.ts'
import type { Route } from '../route.ts'

export function classificationRoutes(): readonly Route[] {
  return healthRoutes('classification')
}
