import { tabStorage } from '../../shared/frame/browser-storage.ts'
import { ProblemError } from '../words/problem.ts'

/** Credentials of the operations, stored for this tab only, so that they survive a reload. */
export type Credentials = { readonly kind: 'key'; readonly key: string } | SignedIn

interface SignedIn {
  readonly kind: 'session'
  readonly email: string
  readonly accessToken: string
  readonly refreshToken: string
  /** in milliseconds */
  readonly endsAt: number
}

/** A session as the GraphQL API returns it. */
interface GrantedSession {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
}

const place = tabStorage<Credentials>('civigraph:credentials')
/** remaining validity in ms at which a token is refreshed */
const earlyMs = 10_000

const fields = 'accessToken refreshToken expiresIn'
const login = `mutation SignIn($input: LoginInput!) { session: login(input: $input) { ${fields} } }`
const refresh = `mutation Renew($input: RefreshSessionInput!) { session: refreshSession(input: $input) { ${fields} } }`
const logout = 'mutation SignOut($input: LogoutInput!) { logout(input: $input) { ended } }'

const whole = ['email', 'accessToken', 'refreshToken', 'endsAt'] as const
let current = readStored()

export const credentials = (): Credentials | undefined => current

/** Reads the stored credentials; ignores malformed ones. */
function readStored(): Credentials | undefined {
  const read = place.read()
  const isWhole =
    read?.kind === 'session' ? whole.every((part) => read[part] !== undefined) : read?.kind === 'key' && read.key !== undefined
  return isWhole ? (read as Credentials) : undefined
}

function keep<Next extends Credentials | undefined>(now: Next): Next {
  current = now
  place.write(now)
  return now
}

export const storeKey = (key: string): Credentials => keep({ kind: 'key', key })

/** @throws {Error} with the platform's message */
export async function signIn(email: string, password: string): Promise<Credentials> {
  const { session } = await ask<{ session: GrantedSession }>(login, { email, password })
  return keep(sessionOf(email, session))
}

/** Deletes the credentials and ends the session. */
export async function signOut(): Promise<void> {
  const before = current
  keep(undefined)
  if (before?.kind === 'session') await ask(logout, { refreshToken: before.refreshToken })
}

/** Refreshes in progress, by refresh token: it is valid for one use, and several operations may need it at once. */
let renewing: Promise<SignedIn> | undefined

/**
 * Returns the headers of an operation; headers that the user typed take precedence.
 * @throws {ProblemError} when the session has ended; `credentials-ended` is then dispatched on the window
 */
export async function credentialHeaders(): Promise<Readonly<Record<string, string>>> {
  if (current === undefined) return {}
  if (current.kind === 'key') return { 'x-service-api-key': current.key }
  if (current.endsAt - earlyMs > Date.now()) return { authorization: `Bearer ${current.accessToken}` }
  renewing ??= renewed(current).finally(() => {
    renewing = undefined
  })
  return { authorization: `Bearer ${(await renewing).accessToken}` }
}

async function renewed({ email, refreshToken }: SignedIn): Promise<SignedIn> {
  try {
    const { session } = await ask<{ session: GrantedSession }>(refresh, { refreshToken })
    return keep(sessionOf(email, session))
  } catch (error) {
    keep(undefined)
    globalThis.dispatchEvent(new Event('credentials-ended'))
    throw new ProblemError({ key: 'problem.over' }, { cause: error })
  }
}

const sessionOf = (email: string, { accessToken, refreshToken, expiresIn }: GrantedSession): SignedIn => ({
  kind: 'session',
  email,
  accessToken,
  refreshToken,
  endsAt: Date.now() + expiresIn * 1000,
})

async function ask<Data>(query: string, input: object): Promise<Data> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
    signal: AbortSignal.timeout(15_000),
  })
  const { data, errors = [] }: { data: Data; errors?: readonly { message: string }[] } = await response.json()
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('. '))
  return data
}
