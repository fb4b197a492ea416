import { tabStorage } from '../../shared/frame/browser-storage.ts'

/** A session on this page. */
export interface StoredSession {
  readonly email: string
  readonly accessToken: string
  /** in milliseconds */
  readonly endsAt: number
}

const place = tabStorage<StoredSession>('civigraph:docs')

/** @returns undefined when signed out, or when the token has expired */
export function storedSession(): StoredSession | undefined {
  const { email, accessToken, endsAt } = place.read() ?? {}
  return email === undefined || accessToken === undefined || endsAt === undefined || endsAt <= Date.now()
    ? undefined
    : { email, accessToken, endsAt }
}

export const storeSession = place.write
