import { Fault } from '../../foundation/fault.ts'

/** What a login or a refresh gives. Times are seconds. */
export interface Session {
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string
  readonly refreshExpiresIn: number
  /** words separated by spaces (RFC 6749, section 3.3) */
  readonly scope: string
}

/** What a person shows to sign in. */
export interface Credentials {
  readonly email: string
  readonly password: string
  /** where the request comes from: whose share of the password queue it takes at the issuer in the platform */
  readonly address?: string | undefined
}

/** Nothing tells an unknown account from a wrong password, nor a token that was used from one that never was. */
export class InvalidCredentials extends Fault {
  constructor(message = 'Invalid credentials') {
    super('UNAUTHENTICATED', message, { error: 'invalid_grant' })
  }
}

/**
 * Knows people: the issuer in this platform, or any OpenID Connect issuer. Every method fails with EngineUnavailable when the issuer does
 * not answer in time.
 */
export interface IdentityProvider {
  /** which issuer it is, for health checks */
  readonly engine: string
  /** @throws {InvalidCredentials}  @throws {Fault} RATE_LIMITED when the issuer has had enough */
  login(credentials: Credentials, signal: AbortSignal): Promise<Session>
  /** The token that was given is used up by this. @throws {InvalidCredentials} */
  refresh(refreshToken: string, signal: AbortSignal): Promise<Session>
  /** Ends the session of a refresh token; a token that is none is left alone. Access tokens run out by themselves, within minutes. */
  logout(refreshToken: string, signal: AbortSignal): Promise<void>
  health(signal: AbortSignal): Promise<void>
}
