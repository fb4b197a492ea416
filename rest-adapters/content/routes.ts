import { healthRoutes } from '../health.ts'
import type { Route } from '../route.ts'

export function contentRoutes(): readonly Route[] {
  return healthRoutes('content')
}
