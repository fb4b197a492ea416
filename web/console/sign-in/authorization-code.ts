import type { SessionTokens } from '@civigraph/client'
import { tabStorage } from '../../shared/frame/browser-storage.ts'
import type { Word } from '../words/words.ts'
import type { SignInFacts } from './facts.ts'

/** The reason a sign-in failed, as a key of the console's words. */
export class SignInProblem extends Error {
  readonly word: Word
  readonly values: Readonly<Record<string, string>>

  constructor(word: Word, values: Readonly<Record<string, string>> = {}) {
    super(word)
    this.word = word
    this.values = values
  }
}

/** State of a sign-in that the page stores until the response arrives. */
interface Attempt {
  readonly state: string
  readonly verifier: string
  /** the view to return to */
  readonly view: string
}

const name = 'civigraph.sign-in'
const storedAttempt = tabStorage<Attempt>(name)
const limitMs = 10_000
/** long enough for the user to look up a password */
const windowLimitMs = 15 * 60_000

/** Takes the authorization response out of the address, for one sign-in; undefined when the page was opened otherwise. */
let arrived = takeAnswer()

function takeAnswer(): URLSearchParams | undefined {
  const response = new URLSearchParams(location.search)
  if (!response.has('state')) return undefined
  history.replaceState(null, '', location.pathname + location.hash)
  return response
}

/**
 * Returns whether this page can use the flow: the browser offers Web Crypto in secure contexts only, and the address must be the registered
 * one.
 */
export const canSignInByCode = ({ redirectUri }: SignInFacts): boolean =>
  window.isSecureContext && (redirectUri === null || redirectUri === ownAddress())

const ownAddress = (): string => `${location.origin}/`

/**
 * Navigates to the identity provider, which returns to this view.
 * @throws {SignInProblem} when the identity provider does not respond
 */
export async function leaveToSignIn(facts: SignInFacts): Promise<void> {
  const attempt = newAttempt()
  storedAttempt.write(attempt)
  location.assign(await authorizationUrl(facts, attempt))
}

/**
 * Returns the session for the authorization response in the address; undefined without a response.
 * @throws {SignInProblem}
 */
export async function returnedSession(facts: SignInFacts): Promise<SessionTokens | undefined> {
  const answer = arrived
  arrived = undefined
  if (answer === undefined) return undefined
  const { state, verifier, view } = storedAttempt.read() ?? {}
  storedAttempt.write(undefined)
  if (state !== answer.get('state') || state === undefined || verifier === undefined || view === undefined) {
    // the response belongs to the page that opened this window, or to no page
    const channel = new BroadcastChannel(name)
    channel.postMessage(answer.toString())
    channel.close()
    window.close()
    throw new SignInProblem('sign-in.not-begun-here')
  }
  history.replaceState(null, '', location.pathname + view)
  return exchange(facts, { verifier }, answer)
}

/**
 * Signs in through a separate window while this page stays open.
 * @param opened - window opened by the user's press, or browsers block it
 * @throws {SignInProblem}
 */
export async function signInInWindow(facts: SignInFacts, opened: Window | null): Promise<SessionTokens> {
  const attempt = newAttempt()
  const channel = new BroadcastChannel(name)
  try {
    const answered = new Promise<URLSearchParams>((resolve, reject) => {
      AbortSignal.timeout(windowLimitMs).onabort = () => reject(new SignInProblem('sign-in.nobody-came'))
      channel.onmessage = ({ data }) => {
        const response = new URLSearchParams(String(data))
        if (response.get('state') === attempt.state) resolve(response)
      }
    })
    if (opened === null) throw new SignInProblem('sign-in.no-window')
    opened.location.href = await authorizationUrl(facts, attempt)
    return await exchange(facts, attempt, await answered)
  } finally {
    channel.close()
  }
}

const random = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)))
const newAttempt = (): Attempt => ({ state: random(), verifier: random(), view: location.hash })

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

interface Discovery {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly authorization_response_iss_parameter_supported?: boolean
}

async function discover({ issuer }: SignInFacts): Promise<Discovery> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const reply = await reach(address)
  if (!reply.ok) throw new SignInProblem('sign-in.issuer-answered', { status: String(reply.status), address })
  const document: Discovery = await reply.json()
  // OpenID Connect Discovery 1.0, section 4.3
  if (document.issuer !== issuer) throw new SignInProblem('sign-in.other-name', { address, name: document.issuer })
  return document
}

/** Sends a request to the identity provider. @throws {SignInProblem} when it cannot be reached */
const reach = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...init, signal: AbortSignal.timeout(limitMs) }).catch(() => {
    throw new SignInProblem('sign-in.unreachable', { address })
  })

/** @see RFC 7636, section 4.3 */
async function authorizationUrl(facts: SignInFacts, { state, verifier }: Attempt): Promise<string> {
  const url = new URL((await discover(facts)).authorization_endpoint)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const parameters = {
    response_type: 'code',
    client_id: facts.clientId,
    redirect_uri: ownAddress(),
    scope: 'openid profile email',
    state,
    // a signed-out user must enter credentials again
    prompt: 'login',
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

async function exchange(facts: SignInFacts, { verifier }: Pick<Attempt, 'verifier'>, response: URLSearchParams): Promise<SessionTokens> {
  const { issuer, token_endpoint, authorization_response_iss_parameter_supported: sendsIssuer = false } = await discover(facts)
  // RFC 9207, section 2.4: rejects a response from another issuer (mix-up attack)
  if (response.get('iss') !== issuer && (sendsIssuer || response.has('iss'))) throw new SignInProblem('sign-in.other-issuer')
  const code = response.get('code')
  if (code === null)
    throw new SignInProblem(response.get('error') === 'access_denied' ? 'sign-in.denied' : 'sign-in.no-code', {
      error: response.get('error') ?? '',
    })
  const fields = { grant_type: 'authorization_code', client_id: facts.clientId, redirect_uri: ownAddress(), code, code_verifier: verifier }
  const answered = await reach(token_endpoint, { method: 'POST', body: new URLSearchParams(fields) })
  // RFC 6749, section 5.2: a server error says nothing about the code
  if (answered.status >= 500)
    throw new SignInProblem('sign-in.issuer-answered', { status: String(answered.status), address: token_endpoint })
  if (!answered.ok) throw new SignInProblem('sign-in.code-refused')
  const body = await answered.json()
  // the refresh token is optional: without it the session ends with its access token
  return { accessToken: body.access_token, refreshToken: body.refresh_token ?? '', expiresIn: body.expires_in }
}
