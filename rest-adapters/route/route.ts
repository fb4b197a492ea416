import type { PageFile } from '../../web/serving/page-file.ts'
import type { Endpoint } from './endpoint.ts'
import type { OperationRoute } from './operation-route.ts'
import type { ReadinessRoute } from './readiness-route.ts'
import type { RequestRules } from './request-rules.ts'
import type { FileRoute, PagesRoute, UploadRoute } from './streaming-routes.ts'

/** A constant response, created at the start. */
export interface FixedRoute extends Endpoint, PageFile {
  readonly kind: 'fixed'
  /** in addition to those of every response */
  readonly headers?: Readonly<Record<string, string>>
  /** strong ETag and 304 instead of no-store */
  readonly isPublic: boolean
  /** not readable by pages of other origins, whatever CORS_ORIGINS allows */
  readonly ownPagesOnly?: true
}

export function fixedRoute(
  options: Omit<FixedRoute, 'kind' | 'method' | 'caller' | 'isPublic'> & { readonly isPublic?: boolean },
): FixedRoute {
  return { kind: 'fixed', method: 'GET', caller: 'anyone', isPublic: true, ...options }
}

/** Handled over WebSocket; without an upgrade it is answered 426. */
export interface SocketRoute extends Endpoint {
  readonly kind: 'socket'
  readonly rules: Pick<RequestRules, 'query'>
}

/** A route is data; each kind has one handler. */
export type Route = OperationRoute | FixedRoute | ReadinessRoute | PagesRoute | UploadRoute | FileRoute | SocketRoute
