import type { Client } from 'graphql-ws'
import { InvalidCredentialsError, NoAnswerError, UnauthenticatedError } from '../errors/civigraph-error.ts'
import { errorOf, type GraphqlRefusal } from '../errors/refusals.ts'
import { boundedFetch } from '../http/bounded-fetch.ts'
import type { reconnectingClient, SubscriptionClientOptions } from './subscription-client.ts'

/** Tokens of a login or a refresh (`SessionPayload`). */
export interface SessionTokens {
  readonly accessToken: string
  /** without it, the session ends when the access token expires */
  readonly refreshToken?: string | null
  /** lifetime of the access token in seconds, from the moment it was issued */
  readonly expiresIn?: number
  /** time of the next refresh by the clock of this device, ms since 1970; the session derives it from `expiresIn` */
  readonly expiresAt?: number
}

export type SessionEnd = 'expired' | 'signed out'

export interface SessionOptions {
  /** URL of the gateway, with /graphql */
  readonly url: string
  /** called with the tokens after each sign-in and refresh, and with undefined when the session ends; a refresh token is valid for one use */
  readonly keep?: (tokens: SessionTokens | undefined) => void
  /** returns what `keep` stored; with it, the tabs of a browser share one session and refresh it in turn */
  readonly load?: () => SessionTokens | undefined
  readonly fetch?: typeof fetch
}

/** A signed-in user: one object for HTTP requests, WebSockets and files. */
export interface Session {
  /**
   * Returns a valid access token, refreshed shortly before it expires; concurrent callers share one refresh.
   * @throws {UnauthenticatedError} when the session has ended  @throws {NoAnswerError} {UnavailableError} when it cannot be refreshed now
   */
  token(): Promise<string>
  /**
   * A `fetch` that adds the access token. It fits Apollo's `new HttpLink({ uri, fetch })`, urql's `new Client({ url, fetch })`, the network of a
   * Relay environment, REST and files. It sends a request again only if the platform refused its token before it executed anything.
   */
  readonly fetch: typeof fetch
  /** Creates a client for subscriptions that reconnects with a valid token; the end of the session disposes it. */
  subscriptions(options: Omit<SubscriptionClientOptions, 'connectionParams'>): Client
  /** Registers a callback for the end of the session, such as the deletion of a cache. @returns a function that removes it */
  onEnd(listener: (end: SessionEnd) => unknown): () => void
  /** Ends the session here at once, with its sockets and `onEnd` callbacks, then on the platform, if it can be reached within 5 s. */
  signOut(): Promise<void>
}

const refreshText =
  'mutation Refresh($input: RefreshSessionInput!) { refreshSession(input: $input) { accessToken refreshToken expiresIn } }'
const signInText = 'mutation SignIn($input: LoginInput!) { login(input: $input) { accessToken refreshToken expiresIn } }'
const signOutText = 'mutation SignOut($input: LogoutInput!) { logout(input: $input) { ended } }'

/** A token is refreshed this long before its expiry, or in the last tenth of its lifetime if that is shorter. */
const refreshBeforeMs = 30_000

/** Signs in with one request, which is never repeated. */
export const issuedTokens = (
  account: { readonly email: string; readonly password: string },
  options: SessionOptions,
): Promise<SessionTokens> => mutation(options, 'login', signInText, { email: account.email, password: account.password })

/** Returns the session of tokens, without subscriptions: for pages that load the code of WebSockets elsewhere. */
export const createHttpSession = (tokens: SessionTokens, options: SessionOptions): Omit<Session, 'subscriptions'> =>
  sessionOver(tokens, options, () => {
    throw new Error('This session has no subscriptions: use createSession')
  })

/** @param connect - creates the client of subscriptions */
export function sessionOver(
  tokens: SessionTokens,
  { url, keep, load, fetch: send = fetch }: SessionOptions,
  connect: typeof reconnectingClient,
): Session {
  let current: SessionTokens | undefined
  let refreshing: Promise<string> | undefined
  const listeners = new Set<(end: SessionEnd) => unknown>()

  const adopt = (issued: SessionTokens): string => {
    const { accessToken, refreshToken = null, expiresIn } = issued
    const expiresAt = expiresIn === undefined ? issued.expiresAt : Date.now() + expiresIn * 1000 - marginMs(expiresIn)
    current = { accessToken, refreshToken, ...(expiresAt !== undefined && { expiresAt }) }
    return accessToken
  }

  const end = (reason: SessionEnd): unknown[] => {
    if (current === undefined) return []
    current = undefined
    keep?.(undefined)
    return [...listeners].map((listener) => listener(reason))
  }

  const ended = (cause?: unknown): UnauthenticatedError =>
    new UnauthenticatedError('The session has ended; sign in again', { code: 'UNAUTHENTICATED' }, cause)

  const refresh = async (refused: string): Promise<string> => {
    const stored = load === undefined ? current : load()
    // another tab signed out
    if (stored === undefined) end('signed out')
    if (stored === undefined || current === undefined) throw ended()
    // another tab or request refreshed it
    if (stored.accessToken !== refused && !isExpired(stored)) return adopt(stored)
    const { refreshToken } = stored
    try {
      if (!refreshToken) throw ended()
      const renewed = await mutation({ url, fetch: send }, 'refreshSession', refreshText, { refreshToken })
      // signed out while the platform refreshed it
      if (current === undefined) throw ended()
      adopt(renewed)
      keep?.(current)
      return renewed.accessToken
    } catch (error) {
      if (!isOfCredentials(error)) throw error
      end('expired')
      throw ended(error)
    }
  }

  /** Replaces an access token that has expired or was refused; concurrent callers share one refresh. */
  const renewed = (refused: string): Promise<string> => {
    const inTurn = load === undefined ? undefined : globalThis.navigator?.locks
    refreshing ??= (inTurn === undefined ? refresh(refused) : inTurn.request(`civigraph session ${url}`, () => refresh(refused))).finally(
      () => {
        refreshing = undefined
      },
    )
    return refreshing
  }

  const expire = (accessToken: string): void => {
    if (current?.accessToken === accessToken) current = { ...current, expiresAt: 0 }
  }

  const token = async (): Promise<string> => {
    if (current === undefined) throw ended()
    return isExpired(current) ? renewed(current.accessToken) : current.accessToken
  }

  const sessionFetch: typeof fetch = async (input, init) => {
    const authorised = (accessToken: string | undefined): Promise<Response> => {
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
      if (accessToken !== undefined) headers.set('Authorization', `Bearer ${accessToken}`)
      // the body of a Request can be sent once
      return send(input instanceof Request ? input.clone() : input, { ...init, headers })
    }
    // public data is available after the end of the session
    const used = await token().catch((error) => (error instanceof UnauthenticatedError ? undefined : Promise.reject(error)))
    const response = await authorised(used)
    if (used === undefined || !(await isUnexecuted(response))) return response
    const next = current !== undefined && current.accessToken !== used ? token() : renewed(used)
    const fresh = await next.catch((error) => (error instanceof UnauthenticatedError ? undefined : Promise.reject(error)))
    return fresh === undefined ? response : authorised(fresh)
  }

  const onEnd: Session['onEnd'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  adopt(tokens)
  keep?.(current)

  return {
    token,
    fetch: sessionFetch,
    onEnd,
    subscriptions(options) {
      let sent = ''
      /** the token that the platform refused since the last accepted connection, and the attempt to replace it */
      let refusal: { readonly token: string; readonly isRecovered: Promise<boolean> } | undefined
      const client = connect(
        {
          ...options,
          async connectionParams() {
            sent = await token()
            return { authorization: `Bearer ${sent}` }
          },
        },
        async (close) => {
          if (close.code !== unauthorized) return false
          const isOther = refusal !== undefined && refusal.token !== sent
          // a token that was just issued is refused as well
          if (isOther) return false
          refusal ??= {
            token: sent,
            isRecovered: renewed(sent).then(
              () => true,
              (error) => {
                if (error instanceof UnauthenticatedError) return false
                // the platform cannot refresh it now: the next connections try again, with backoff
                expire(sent)
                return true
              },
            ),
          }
          return refusal.isRecovered
        },
      )
      client.on('connected', () => {
        refusal = undefined
      })
      client.on('closed', (close) => {
        // expired by the platform's clock, whatever this device's clock says
        if (isClose(close) && close.code === expired) expire(sent)
      })
      onEnd((reason) => {
        // after 'expired', the subscriptions end with UnauthenticatedError when they reconnect
        if (reason === 'signed out') void Promise.resolve(client.dispose()).catch(() => undefined)
      })
      return client
    },
    async signOut() {
      const refreshToken = current?.refreshToken
      const endings = end('signed out')
      // the session expires by itself where the platform cannot be reached
      if (refreshToken) endings.push(mutation({ url, fetch: send }, 'logout', signOutText, { refreshToken }, 5000))
      await Promise.allSettled(endings)
    },
  }
}

/** close codes of the platform, docs/clients/graphql-ws.md */
const unauthorized = 4401
const expired = 4403

const isClose = (event: unknown): event is { readonly code: number } => typeof event === 'object' && event !== null && 'code' in event

const isOfCredentials = (error: unknown): boolean => error instanceof UnauthenticatedError || error instanceof InvalidCredentialsError

const isExpired = ({ expiresAt }: SessionTokens): boolean => expiresAt !== undefined && Date.now() >= expiresAt

const marginMs = (lifetimeSeconds: number): number => Math.min(refreshBeforeMs, lifetimeSeconds * 100)

interface MutationResult {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly GraphqlRefusal[]
}

/** Executes a mutation of the session without its token. @throws {CivigraphError} */
async function mutation(
  { url, fetch: send = fetch }: Pick<SessionOptions, 'url' | 'fetch'>,
  field: string,
  query: string,
  input: Readonly<Record<string, string>>,
  timeoutMs = 10_000,
): Promise<SessionTokens> {
  const response = await boundedFetch(send, timeoutMs)(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query, variables: { input } }),
  })
  const { data, errors } = (await response.json().catch(() => ({}))) as MutationResult
  if (errors?.[0] !== undefined) throw errorOf(errors[0], data == null ? response.status : undefined)
  const payload = data?.[field]
  if (payload == null) throw new NoAnswerError(`${response.status} from ${url} has no ${field}`, { status: response.status })
  return payload as SessionTokens
}

/**
 * Returns whether the platform refused the token of a request before it executed any of it; leaves the body of the response unread. A mutation
 * of which one field was refused is not repeated, because others may have been executed.
 */
async function isUnexecuted(response: Response): Promise<boolean> {
  if (!/json/.test(response.headers.get('Content-Type') ?? '')) return response.status === 401
  const { data, errors, error } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as MutationResult & { readonly error?: unknown }
  // REST: a wrong password is no expired session
  if (errors === undefined) return response.status === 401 && error !== 'invalid_grant'
  const isRefused =
    errors.length > 0 && errors.every(({ extensions, path = [] }) => extensions?.code === 'UNAUTHENTICATED' && path.length < 2)
  return isRefused && Object.values(data ?? {}).every((value) => value === null)
}
