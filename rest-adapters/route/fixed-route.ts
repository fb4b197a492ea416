import type { PageFile } from '../../web/serving/page-file.ts'
import type { Endpoint } from './endpoint.ts'

/** The same bytes for everybody, made once at start. */
export interface FixedRoute extends Endpoint, PageFile {
  readonly kind: 'fixed'
  /** besides those of every answer */
  readonly headers?: Readonly<Record<string, string>>
  /** strong ETag and 304, instead of no-store */
  readonly isPublic: boolean
  /** what pages of other origins must not read, whatever CORS_ORIGINS lets them call */
  readonly ownPagesOnly?: true
}

export function fixed(options: Omit<FixedRoute, 'kind' | 'method' | 'caller' | 'isPublic'> & { readonly isPublic?: boolean }): FixedRoute {
  return { kind: 'fixed', method: 'GET', caller: 'anyone', isPublic: true, ...options }
}
