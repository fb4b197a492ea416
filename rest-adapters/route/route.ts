import type { Endpoint } from './endpoint.ts'
import type { FixedRoute } from './fixed-route.ts'
import type { OperationRoute } from './operation-route.ts'
import type { ReadinessRoute } from './readiness-route.ts'
import type { RequestRules } from './request-rules.ts'
import type { FileRoute, PagesRoute, UploadRoute } from './streaming-routes.ts'

/** Handled over WebSocket; without an upgrade it is answered 426. */
export interface SocketRoute extends Endpoint {
  readonly kind: 'socket'
  readonly rules: Pick<RequestRules, 'query'>
}

/** A route is data; each kind has one handler. */
export type Route = OperationRoute | FixedRoute | ReadinessRoute | PagesRoute | UploadRoute | FileRoute | SocketRoute
