import { Fault } from '../../foundation/fault.ts'

/** The result of a login or a refresh. Times are in seconds. */
export interface Session {
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string
  readonly refreshExpiresIn: number
  /** space-separated scopes (RFC 6749, section 3.3) */
  readonly scope: string
}

/** The credentials of a user. */
export interface Credentials {
  readonly email: string
  readonly password: string
  /** client address, which shares the password queue of the embedded issuer fairly */
  readonly address?: string | undefined
}

/** Wrong credentials. Does not reveal whether the account exists, or whether a token was used before. */
export class InvalidCredentials extends Fault {
  constructor(message = 'Invalid credentials') {
    super('INVALID_CREDENTIALS', message, { error: 'invalid_grant' })
  }
}

/**
 * Authenticates users: the embedded issuer or any OpenID Connect issuer. Every method throws EngineUnavailable if the issuer does not answer in time.
 */
export interface IdentityProvider {
  /** kind of issuer, for health checks */
  readonly engine: string
  /**
   * @throws {InvalidCredentials}
   * @throws {Fault} RATE_LIMITED if the issuer limits the caller
   */
  login(credentials: Credentials, signal: AbortSignal): Promise<Session>
  /** Exchanges a refresh token, which becomes invalid. @throws {InvalidCredentials} */
  refresh(refreshToken: string, signal: AbortSignal): Promise<Session>
  /** Ends the session of a refresh token; ignores an invalid token. Access tokens expire within minutes. */
  logout(refreshToken: string, signal: AbortSignal): Promise<void>
  health(signal: AbortSignal): Promise<void>
}
