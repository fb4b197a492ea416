import { useEffect, useState } from 'preact/hooks'
import { type Credentials, credentials, signOut } from './credentials.ts'

export interface CredentialsState {
  readonly current: Credentials | undefined
  /** the session has expired and the user has not signed in again */
  readonly isExpired: boolean
  readonly use: (current: Credentials) => void
  readonly forget: () => Promise<void>
}

/** The credentials of the operations. */
export function useCredentials(): CredentialsState {
  const [{ current, isExpired }, setState] = useState({ current: credentials(), isExpired: false })
  useEffect(() => {
    // an operation found that the session has ended
    const end = (): void => setState({ current: credentials(), isExpired: true })
    globalThis.addEventListener('credentials-ended', end)
    return () => globalThis.removeEventListener('credentials-ended', end)
  }, [])
  return {
    current,
    isExpired,
    use: (used) => setState({ current: used, isExpired: false }),
    async forget() {
      setState({ current: undefined, isExpired: false })
      // the session expires by itself where the platform cannot be reached
      await signOut().catch(() => undefined)
    },
  }
}
