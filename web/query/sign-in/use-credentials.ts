import { useEffect, useState } from 'preact/hooks'
import { type Credentials, credentials, signOut } from './credentials.ts'

export interface CredentialsState {
  readonly current: Credentials | undefined
  /** the session has expired and the user has not signed in again */
  readonly isOver: boolean
  readonly use: (current: Credentials) => void
  readonly forget: () => Promise<void>
}

/** The credentials of the operations. */
export function useCredentials(): CredentialsState {
  const [{ current, isOver }, setState] = useState({ current: credentials(), isOver: false })
  useEffect(() => {
    // an operation found that the session has ended
    const end = (): void => setState({ current: credentials(), isOver: true })
    globalThis.addEventListener('credentials-ended', end)
    return () => globalThis.removeEventListener('credentials-ended', end)
  }, [])
  return {
    current,
    isOver,
    use: (used) => setState({ current: used, isOver: false }),
    async forget() {
      setState({ current: undefined, isOver: false })
      // the session expires by itself where the platform cannot be reached
      await signOut().catch(() => undefined)
    },
  }
}
