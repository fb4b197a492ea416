/**
 * Who the operations are asked as. It is kept as long as the browser's tab is open, so that a reload does not end it, and nowhere else.
 * @typedef {{kind: 'key', key: string} | {kind: 'session', email: string, accessToken: string, refreshToken: string, endsAt: number}} Credentials
 */
const place = 'civigraph:credentials'
/** a token is renewed so long before its end */
const earlyMs = 10_000

const fields = 'accessToken refreshToken expiresIn'
const login = `mutation SignIn($input: LoginInput!) { login(input: $input) { ${fields} } }`
const refresh = `mutation Renew($input: RefreshSessionInput!) { refreshSession(input: $input) { ${fields} } }`
const logout = 'mutation SignOut($input: LogoutInput!) { logout(input: $input) { ended } }'

/** @returns {Credentials | undefined} */
export function credentials() {
  const kept = sessionStorage.getItem(place)
  return kept === null ? undefined : JSON.parse(kept)
}

function keep(known) {
  sessionStorage.setItem(place, JSON.stringify(known))
  return known
}

export const useKey = (key) => keep({ kind: 'key', key })

/** @throws {Error} with the sentence of the platform */
export async function signIn(email, password) {
  const { login: session } = await ask(login, { input: { email, password } })
  return keep(sessionOf(email, session))
}

/** Forgets them, and ends the session where there is one. */
export async function signOut() {
  const known = credentials()
  sessionStorage.removeItem(place)
  if (known?.kind === 'session') await ask(logout, { input: { refreshToken: known.refreshToken } })
}

/** Renewals of one refresh token: it may be used once, and several operations may find the token at its end. */
let renewing

/** The headers of an operation. @throws {Error} when the session has ended: nobody is signed in any more */
export async function credentialHeaders() {
  const known = credentials()
  if (known === undefined) return {}
  if (known.kind === 'key') return { 'X-Service-API-Key': known.key }
  if (known.endsAt - earlyMs > Date.now()) return { Authorization: `Bearer ${known.accessToken}` }
  renewing ??= renewed(known).finally(() => {
    renewing = undefined
  })
  return { Authorization: `Bearer ${(await renewing).accessToken}` }
}

async function renewed({ email, refreshToken }) {
  try {
    const { refreshSession: session } = await ask(refresh, { input: { refreshToken } })
    return keep(sessionOf(email, session))
  } catch (error) {
    sessionStorage.removeItem(place)
    throw new Error('Your session has ended. Sign in again.', { cause: error })
  }
}

const sessionOf = (email, { accessToken, refreshToken, expiresIn }) => ({
  kind: 'session',
  email,
  accessToken,
  refreshToken,
  endsAt: Date.now() + expiresIn * 1000,
})

async function ask(query, variables) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(15_000),
  })
  const { data, errors = [] } = await response.json()
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('. '))
  return data
}
