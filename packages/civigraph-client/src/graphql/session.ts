/** Tokens that a login returns (`SessionPayload`). */
export interface Session {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface SessionOptions {
  /** URL of the gateway, with /graphql */
  readonly url: string
  readonly session: Session
  /** called with each new session, and with undefined after sign-out; a refresh token is valid for one use */
  readonly keep: (session: Session | undefined) => void
  readonly fetch?: typeof fetch
}

const refreshText = 'mutation Refresh($input: RefreshSessionInput!) { refreshSession(input: $input) { accessToken refreshToken } }'

/**
 * Returns a `fetch` that adds the access token and, where it has expired, refreshes the session once. It fits Apollo's `new HttpLink({ uri,
 * fetch })`, urql's `new Client({ url, fetch })` and the network of a Relay environment. Concurrent requests share one refresh.
 */
export function sessionFetch({ url, session, keep, fetch: send = fetch }: SessionOptions): typeof fetch {
  let current: Session | undefined = session
  let refreshing: Promise<void> | undefined

  const refresh = async (refreshToken: string): Promise<void> => {
    const response = await send(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query: refreshText, variables: { input: { refreshToken } } }),
      signal: AbortSignal.timeout(10_000),
    })
    const { data, errors } = (await response.json()) as Answer
    if (data?.refreshSession == null && errors?.some(isUnauthenticated) !== true) return
    current = data?.refreshSession ?? undefined
    keep(current)
  }

  const refreshedOnce = (refreshToken: string): Promise<void> => {
    refreshing ??= refresh(refreshToken).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  const signedIn = (init: RequestInit | undefined): RequestInit => {
    const headers = new Headers(init?.headers)
    if (current !== undefined) headers.set('Authorization', `Bearer ${current.accessToken}`)
    return { ...init, headers }
  }

  return async (input, init) => {
    const used = current
    const response = await send(input, signedIn(init))
    if (used === undefined || !(await isRefused(response))) return response
    // another request may have refreshed it in the meantime
    if (used === current) await refreshedOnce(used.refreshToken)
    return current === undefined || current === used ? response : send(input, signedIn(init))
  }
}

interface Answer {
  readonly data?: { readonly refreshSession?: Session | null } | null
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[]
}

const isUnauthenticated = ({ extensions }: { readonly extensions?: { readonly code?: unknown } }): boolean =>
  extensions?.code === 'UNAUTHENTICATED'

/** Returns whether a single-part response reports an expired token; leaves the body of the response unread. */
async function isRefused(response: Response): Promise<boolean> {
  if (!/json/.test(response.headers.get('Content-Type') ?? '')) return response.status === 401
  const { errors } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Answer
  return errors?.some(isUnauthenticated) ?? response.status === 401
}
