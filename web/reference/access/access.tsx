import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { DescribedInterface } from '../interface/described.ts'
import { type Secrets, tokenScheme } from './credentials.ts'
import { login } from './login.ts'
import { type StoredSession, storedSession, storeSession } from './stored-session.ts'

/** The credentials of trial requests. */
export interface AccessState {
  /** includes the account's token */
  readonly secrets: Secrets
  /** owner of the token; undefined: signed out */
  readonly email: string | undefined
  /** the session has expired */
  readonly isExpired: boolean
  /** @param secret - undefined removes it */
  setSecret(scheme: string, secret: string | undefined): void
  /** @throws {LoginRefused} when the platform refuses the account; any other error: it did not respond */
  signIn(email: string, password: string): Promise<void>
  signOut(): void
  /** whether the Authorize dialog is open */
  readonly isOpen: boolean
  setOpen(isOpen: boolean): void
}

const AccessContext = createContext<AccessState | undefined>(undefined)

/** Stores an account's session in this tab; typed keys are not stored, because they do not expire. */
export function AccessProvider({ described, children }: { described: DescribedInterface; children: ReactNode }) {
  const { document, development } = described
  const [typed, setTyped] = useState<Secrets>(() =>
    development.key !== undefined && document.components?.securitySchemes?.serviceKey !== undefined ? { serviceKey: development.key } : {},
  )
  const [session, setSession] = useState<StoredSession | undefined>(storedSession)
  const [isExpired, setExpired] = useState(false)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (session === undefined) return
    const end = (): void => {
      storeSession(undefined)
      setSession(undefined)
      setExpired(true)
    }
    const ending = setTimeout(end, session.endsAt - Date.now())
    return () => clearTimeout(ending)
  }, [session])

  const state = useMemo((): AccessState => {
    const scheme = tokenScheme(document)
    const openSession = (opened: StoredSession | undefined): void => {
      storeSession(opened)
      setSession(opened)
      setExpired(false)
    }
    return {
      secrets: scheme === undefined || session === undefined ? typed : { ...typed, [scheme]: session.accessToken },
      email: session?.email,
      isExpired,
      setSecret: (name, secret) => setTyped(({ [name]: _, ...others }) => (secret === undefined ? others : { ...others, [name]: secret })),
      signIn: async (email, password) => openSession(await login(email, password)),
      signOut: () => openSession(undefined),
      isOpen,
      setOpen,
    }
  }, [document, typed, session, isExpired, isOpen])
  return <AccessContext.Provider value={state}>{children}</AccessContext.Provider>
}

export function useAccess(): AccessState {
  const state = useContext(AccessContext)
  if (state === undefined) throw new Error('useAccess must be called inside an AccessProvider')
  return state
}
