import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Described } from '../interface/described.ts'
import { type Secrets, tokenScheme } from './credentials.ts'
import { type KeptSession, keepSession, keptSession } from './kept-session.ts'
import { login } from './login.ts'

/** With what operations are tried. */
export interface AccessState {
  /** the token of the account among them */
  readonly secrets: Secrets
  /** whose token it is; undefined: nobody's */
  readonly email: string | undefined
  /** somebody's session has ended by itself */
  readonly isOver: boolean
  /** @param secret - undefined: forget it */
  type(scheme: string, secret: string | undefined): void
  /** @throws {Refused} when the platform takes no such account; any other error: it has not answered */
  signIn(email: string, password: string): Promise<void>
  signOut(): void
  /** whether the window is open in which all this is done */
  readonly isAsked: boolean
  ask(isAsked: boolean): void
}

const AccessContext = createContext<AccessState | undefined>(undefined)

/** An account's session is kept in this tab; a key that was typed is kept nowhere, because it does not end. */
export function AccessProvider({ described, children }: { described: Described; children: ReactNode }) {
  const { document, development } = described
  const [typed, setTyped] = useState<Secrets>(() =>
    development.key !== undefined && document.components?.securitySchemes?.serviceKey !== undefined ? { serviceKey: development.key } : {},
  )
  const [session, setSession] = useState<KeptSession | undefined>(keptSession)
  const [isOver, setOver] = useState(false)
  const [isAsked, ask] = useState(false)

  useEffect(() => {
    if (session === undefined) return
    const end = (): void => {
      keepSession(undefined)
      setSession(undefined)
      setOver(true)
    }
    const ending = setTimeout(end, session.endsAt - Date.now())
    return () => clearTimeout(ending)
  }, [session])

  const state = useMemo((): AccessState => {
    const scheme = tokenScheme(document)
    const begin = (begun: KeptSession | undefined): void => {
      keepSession(begun)
      setSession(begun)
      setOver(false)
    }
    return {
      secrets: scheme === undefined || session === undefined ? typed : { ...typed, [scheme]: session.accessToken },
      email: session?.email,
      isOver,
      type: (name, secret) => setTyped(({ [name]: _, ...others }) => (secret === undefined ? others : { ...others, [name]: secret })),
      signIn: async (email, password) => begin(await login(email, password)),
      signOut: () => begin(undefined),
      isAsked,
      ask,
    }
  }, [document, typed, session, isOver, isAsked])
  return <AccessContext.Provider value={state}>{children}</AccessContext.Provider>
}

export function useAccess(): AccessState {
  const state = useContext(AccessContext)
  if (state === undefined) throw new Error('outside of an AccessProvider')
  return state
}
