import { createGraphqlClient, type Session, sessionFetch, UnauthenticatedError } from '@civigraph/client'
import { MeDocument, type MeQuery, SignInDocument, SignOutDocument } from '@civigraph/client/documents'
import type { Client } from '@urql/core'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { keptInTab } from '../frame/kept.ts'
import { graphUrl } from '../graph/graph-client.ts'
import { useSharedWords } from '../words/dictionary.ts'

export type Administrator = NonNullable<MeQuery['me']>

/** Whoever has signed in, and the client that asks as them. */
export interface SignedIn {
  readonly administrator: Administrator
  readonly client: Client
}

export interface SessionState {
  readonly signedIn: SignedIn | undefined
  /** the session is over, and what was begun on the page is still there */
  readonly isOver: boolean
  /** whether a session of before is being looked at */
  readonly isOpening: boolean
  /** a `fetch` that signs requests to the page's own address in */
  readonly send: typeof fetch
  /** @throws {CivigraphError} with the platform's sentence */
  signIn(email: string, password: string): Promise<void>
  /** Goes on with a session that was begun elsewhere. @throws {Error} that says why it is none here, in the language of the page */
  resume(session: Session): Promise<void>
  signOut(): Promise<void>
}

const SessionContext = createContext<SessionState | undefined>(undefined)
const kept = keptInTab<Session>('civigraph.session')

export interface SessionProviderProps {
  /** makes the client that asks as whoever has signed in; the same function each time. @param send - signs requests in */
  readonly clientFor: (send: typeof fetch) => Client
  readonly children: ReactNode
}

/** The session of this tab. It survives a reload of the page and ends with the tab, with its refresh token, or by signing out. */
export function SessionProvider({ clientFor, children }: SessionProviderProps) {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [isOver, setOver] = useState(false)
  const [isOpening, setOpening] = useState(true)
  const session = useRef<Session | undefined>(undefined)
  const signed = useRef<typeof fetch>(fetch)
  const words = useSharedWords()
  const said = useRef(words)
  said.current = words
  // requests that are tried again, and those of the same person after a session that has ended, go on with the new one
  const send = useCallback<typeof fetch>((input, init) => signed.current(input, init), [])

  const begin = useCallback(
    async (begun: Session): Promise<void> => {
      const keep = (renewed: Session | undefined): void => {
        session.current = renewed
        kept.keep(renewed && { accessToken: renewed.accessToken, refreshToken: renewed.refreshToken })
        if (renewed === undefined) setOver(true)
      }
      const asThem = sessionFetch({ url: graphUrl(), session: begun, keep })
      keep(begun)
      const { word } = said.current
      const me = await createGraphqlClient({ url: graphUrl(), fetch: asThem })
        .request(MeDocument, {})
        .then(({ me: theirs }) => theirs ?? Promise.reject(new Error(word('session.administers-nothing'))))
        .catch((error: unknown) => {
          kept.keep(undefined)
          // such as a token for another audience: the sentence of the platform is about the token, and the person has none in their hands
          throw error instanceof UnauthenticatedError ? new Error(word('session.not-taken'), { cause: error }) : error
        })
      signed.current = asThem
      setSignedIn((before) =>
        before?.administrator.id === me.id ? { ...before, administrator: me } : { administrator: me, client: clientFor(send) },
      )
      setOver(false)
    },
    [send, clientFor],
  )

  useEffect(() => {
    const { accessToken, refreshToken } = kept.read() ?? {}
    const isWhole = typeof accessToken === 'string' && typeof refreshToken === 'string'
    const opening = isWhole ? begin({ accessToken, refreshToken }) : Promise.resolve()
    // one that is over is no news: there is the form
    void opening.catch(() => undefined).finally(() => setOpening(false))
  }, [begin])

  const state = useMemo(
    (): SessionState => ({
      signedIn,
      isOver,
      isOpening,
      send,
      async signIn(email, password) {
        const { login } = await createGraphqlClient({ url: graphUrl() }).request(SignInDocument, { input: { email, password } })
        if (login != null) await begin(login)
      },
      resume: begin,
      async signOut() {
        const { refreshToken } = session.current ?? {}
        kept.keep(undefined)
        setSignedIn(undefined)
        setOver(false)
        // the session ends by itself where the platform cannot be told
        if (refreshToken !== undefined)
          await createGraphqlClient({ url: graphUrl(), timeoutMs: 5000 })
            .execute(SignOutDocument, { input: { refreshToken } })
            .catch(() => undefined)
      },
    }),
    [signedIn, isOver, isOpening, send, begin],
  )
  return <SessionContext.Provider value={state}>{children}</SessionContext.Provider>
}

export function useSession(): SessionState {
  const state = useContext(SessionContext)
  if (state === undefined) throw new Error('outside of a SessionProvider')
  return state
}
