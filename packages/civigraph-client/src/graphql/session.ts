import { issuedTokens, type Session, type SessionOptions, type SessionTokens, sessionOver } from './session.ts'
import { reconnectingClient } from './subscription-client.ts'

/**
 * Signs in with one request, which is never repeated.
 * @throws {InvalidCredentialsError} for a wrong email or password  @throws {RateLimitedError} after too many failures
 */
export async function signIn(account: { readonly email: string; readonly password: string }, options: SessionOptions): Promise<Session> {
  return createSession(await issuedTokens(account, options), options)
}

/** Returns the session of tokens that a login, another sign-in or `keep` returned. */
export const createSession = (tokens: SessionTokens, options: SessionOptions): Session => sessionOver(tokens, options, reconnectingClient)
