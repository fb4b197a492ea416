import { InvalidCredentialsError, NoAnswerError, UnauthenticatedError } from '../errors/civigraph-error.ts'
import { errorOf, type GraphqlRefusal } from '../errors/refusals.ts'
import { boundedFetch } from '../http/bounded-fetch.ts'

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

/** A signed-in user, for HTTP requests and files: without the code of WebSockets, for pages that load it elsewhere or not at all. */
export interface HttpSession {
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

/** Replaces the access tokens of a session that the platform refused. */
export interface TokenRenewal {
  /** Refreshes an access token that was refused. @throws {UnauthenticatedError} when the session has ended */
  renewed(refused: string): Promise<string>
  /** Makes the next request refresh an access token that has expired by the platform's clock. */
  expire(accessToken: string): void
}

/** Returns the session of tokens that a login, another sign-in or `keep` returned. */
export const createHttpSession = (tokens: SessionTokens, options: SessionOptions): HttpSession => renewableSession(tokens, options).session

/** Returns a session with the renewal of its tokens, for connections that the platform closes. */
export function renewableSession(
  tokens: SessionTokens,
  { url, keep, load, fetch: send = fetch }: SessionOptions,
): { readonly session: HttpSession; readonly renewal: TokenRenewal } {
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

  const onEnd: HttpSession['onEnd'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  adopt(tokens)
  keep?.(current)

  const session: HttpSession = {
    token,
    fetch: sessionFetch,
    onEnd,
    async signOut() {
      const refreshToken = current?.refreshToken
      const endings = end('signed out')
      // the session expires by itself where the platform cannot be reached
      if (refreshToken) endings.push(mutation({ url, fetch: send }, 'logout', signOutText, { refreshToken }, 5000))
      await Promise.allSettled(endings)
    },
  }
  return { session, renewal: { renewed, expire } }
}

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
  // REST: a wrong password does not mean an expired session
  if (errors === undefined) return response.status === 401 && error !== 'invalid_grant'
  const isRefused =
    errors.length > 0 && errors.every(({ extensions, path = [] }) => extensions?.code === 'UNAUTHENTICATED' && path.length < 2)
  // a field that is null without an error of its own was executed
  const refused = new Set(errors.map(({ path }) => path?.[0]))
  return isRefused && Object.entries(data ?? {}).every(([name, value]) => value === null && refused.has(name))
}
