import { keptInTab } from '../../shared/frame/kept.ts'

/** A session on this page. */
export interface KeptSession {
  readonly email: string
  readonly accessToken: string
  /** in milliseconds */
  readonly endsAt: number
}

const place = keptInTab<KeptSession>('civigraph:docs')

/** @returns undefined when signed out, or when the token has expired */
export function keptSession(): KeptSession | undefined {
  const { email, accessToken, endsAt } = place.read() ?? {}
  return email === undefined || accessToken === undefined || endsAt === undefined || endsAt <= Date.now()
    ? undefined
    : { email, accessToken, endsAt }
}

export const keepSession = place.keep
