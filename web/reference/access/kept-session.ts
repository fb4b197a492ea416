import { keptInTab } from '../../shared/frame/kept.ts'

/** Who is signed in on this page. */
export interface KeptSession {
  readonly email: string
  readonly accessToken: string
  /** in milliseconds */
  readonly endsAt: number
}

const place = keptInTab<KeptSession>('civigraph:docs')

/** @returns undefined where nobody is signed in, or the token has ended */
export function keptSession(): KeptSession | undefined {
  const { email, accessToken, endsAt } = place.read() ?? {}
  return email === undefined || accessToken === undefined || endsAt === undefined || endsAt <= Date.now()
    ? undefined
    : { email, accessToken, endsAt }
}

export const keepSession = place.keep
