import { createGraphqlClient, createHttpSession, type HttpSession, type SessionTokens, UnauthenticatedError } from '@civigraph/client'
import { MeDocument, type MeQuery, SignInDocument } from '@civigraph/client/documents'
import type { Client } from '@urql/core'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { tabStorage } from '../frame/browser-storage.ts'
import { graphUrl } from '../graph/graph-client.ts'
import { useSessionWords } from './words/words.ts'

export type Administrator = NonNullable<MeQuery['me']>

/** The signed-in user and a client with their credentials. */
export interface SignedIn {
  readonly administrator: Administrator
  readonly client: Client
}

export interface SessionState {
  readonly signedIn: SignedIn | undefined
  /** the session has expired; the page keeps its state */
  readonly isExpired: boolean
  /** a stored session is being resumed */
  readonly isOpening: boolean
  /** a `fetch` that adds the access token to requests to the page's own address */
  readonly send: typeof fetch
  /** @throws {CivigraphError} with the platform's message */
  signIn(email: string, password: string): Promise<void>
  /**
   * Resumes a session that started elsewhere.
   * @throws {Error} with a message in the page's language when the platform does not accept it
   */
  resume(session: SessionTokens): Promise<void>
  signOut(): Promise<void>
  /** Ends the session and hides the page, which keeps its state, until the same user signs in again. */
  lock(): void
  /** the session was ended by `lock` */
  readonly isLocked: boolean
}

const SessionContext = createContext<SessionState | undefined>(undefined)
const stored = tabStorage<SessionTokens>('civigraph.session')

export interface SessionProviderProps {
  /** Creates the client for the signed-in user; must be stable. @param send - `fetch` that adds credentials */
  readonly clientFor: (send: typeof fetch) => Client
  readonly children: ReactNode
}

/** The session of this tab. It survives a reload, and ends with the tab, the refresh token, or sign-out. */
export function SessionProvider({ clientFor, children }: SessionProviderProps) {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [isExpired, setExpired] = useState(false)
  const [isLocked, setLocked] = useState(false)
  const [isOpening, setOpening] = useState(true)
  const session = useRef<HttpSession | undefined>(undefined)
  const signed = useRef<typeof fetch>(fetch)
  const words = useSessionWords()
  const currentWords = useRef(words)
  currentWords.current = words
  // retried requests, and those of the same user after signing in again, use the new session
  const send = useCallback<typeof fetch>((input, init) => signed.current(input, init), [])

  const begin = useCallback(
    async (begun: SessionTokens): Promise<void> => {
      const keep = (renewed: SessionTokens | undefined): void => {
        stored.write(renewed)
        if (renewed === undefined) setExpired(true)
      }
      const opened = createHttpSession(begun, { url: graphUrl(), keep })
      session.current = opened
      const { word } = currentWords.current
      const me = await createGraphqlClient({ url: graphUrl(), fetch: opened.fetch })
        .request(MeDocument, {})
        .then(({ me: theirs }) => theirs ?? Promise.reject(new Error(word('session.administers-nothing'))))
        .catch((error: unknown) => {
          stored.write(undefined)
          // such as a token for another audience: the platform's message is about the token, which the user cannot see
          throw error instanceof UnauthenticatedError ? new Error(word('session.not-taken'), { cause: error }) : error
        })
      signed.current = opened.fetch
      setSignedIn((before) =>
        before?.administrator.id === me.id ? { ...before, administrator: me } : { administrator: me, client: clientFor(send) },
      )
      setExpired(false)
      setLocked(false)
    },
    [send, clientFor],
  )

  useEffect(() => {
    const { accessToken, ...tokens } = stored.read() ?? {}
    const opening = typeof accessToken === 'string' ? begin({ accessToken, ...tokens }) : Promise.resolve()
    // a stored session that has expired is not reported: the form is shown
    void opening.catch(() => undefined).finally(() => setOpening(false))
  }, [begin])

  const state = useMemo(
    (): SessionState => ({
      signedIn,
      isExpired,
      isLocked,
      isOpening,
      send,
      async signIn(email, password) {
        const { login } = await createGraphqlClient({ url: graphUrl() }).request(SignInDocument, { input: { email, password } })
        if (login != null) await begin(login)
      },
      resume: begin,
      async signOut() {
        const ending = session.current?.signOut()
        setSignedIn(undefined)
        setExpired(false)
        setLocked(false)
        await ending
      },
      lock() {
        setExpired(true)
        setLocked(true)
        void session.current?.signOut()
      },
    }),
    [signedIn, isExpired, isLocked, isOpening, send, begin],
  )
  return <SessionContext.Provider value={state}>{children}</SessionContext.Provider>
}

export function useSession(): SessionState {
  const state = useContext(SessionContext)
  if (state === undefined) throw new Error('useSession must be called inside a SessionProvider')
  return state
}
