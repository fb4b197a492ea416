import { useEffect, useState } from 'preact/hooks'
import { type Credentials, credentials, signOut } from './credentials.ts'

export interface CredentialsState {
  readonly known: Credentials | undefined
  /** a session has ended by itself, and nobody has signed in since */
  readonly isOver: boolean
  readonly use: (known: Credentials) => void
  readonly forget: () => Promise<void>
}

/** Who the operations are asked as. */
export function useCredentials(): CredentialsState {
  const [{ known, isOver }, setState] = useState({ known: credentials(), isOver: false })
  useEffect(() => {
    // an operation has found it
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
      // the session ends by itself where the platform cannot be told
      await signOut().catch(() => undefined)
    },
  }
}
