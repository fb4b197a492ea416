import type { Endpoint } from './endpoint.ts'

/** The same bytes for everybody, made once at start. */
export interface FixedRoute extends Endpoint {
  readonly kind: 'fixed'
  readonly mediaType: string
  readonly content: string
  /** besides those of every answer */
  readonly headers?: Readonly<Record<string, string>>
  /** strong ETag and 304, instead of no-store */
  readonly isPublic: boolean
  /** another content has another path: it may be kept for good */
  readonly isNamedByContent?: true
  /** what pages of other origins must not read, whatever CORS_ORIGINS lets them call */
  readonly ownPagesOnly?: true
}

export function fixed(options: Omit<FixedRoute, 'kind' | 'method' | 'caller' | 'isPublic'> & { readonly isPublic?: boolean }): FixedRoute {
  return { kind: 'fixed', method: 'GET', caller: 'anyone', isPublic: true, ...options }
}
