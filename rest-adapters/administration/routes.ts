import { healthRoutes } from '../health.ts'
import type { Route } from '../route.ts'

export function administrationRoutes(): readonly Route[] {
  return healthRoutes('administration')
}
