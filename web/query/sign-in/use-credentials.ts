import { useEffect, useState } from 'preact/hooks'
import { type Credentials, credentials, signOut } from './credentials.ts'

export interface CredentialsState {
  readonly known: Credentials | undefined
  /** the session has expired and the user has not signed in again */
  readonly isOver: boolean
  readonly use: (known: Credentials) => void
  readonly forget: () => Promise<void>
}

/** The credentials of the operations. */
export function useCredentials(): CredentialsState {
  const [{ known, isOver }, setState] = useState({ known: credentials(), isOver: false })
  useEffect(() => {
    // an operation found that the session has ended
    const end = (): void => setState({ known: credentials(), isOver: true })
    globalThis.addEventListener('credentials-ended', end)
    return () => globalThis.removeEventListener('credentials-ended', end)
  }, [])
  return {
    known,
    isOver,
    use: (used) => setState({ known: used, isOver: false }),
    async forget() {
      setState({ known: undefined, isOver: false })
      // the session expires by itself where the platform cannot be reached
      await signOut().catch(() => undefined)
    },
  }
}
