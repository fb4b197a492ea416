import { z } from 'zod'
import { EngineUnavailable, Fault, messageOf } from '../../foundation/fault.ts'
import { type IdentityProvider, InvalidCredentials, type Session } from './identity-provider.ts'

export interface IssuerAnswer {
  readonly status: number
  readonly body: unknown
  /** value of `Retry-After`, if present */
  readonly retryAfterMs?: number
}

/** How requests reach an issuer: over HTTP or in this process. */
export interface IssuerTransport {
  readonly engine: string
  /**
   * @param signal - also limits the wait
   * @param client - address of the client that caused the request
   */
  post(endpoint: 'token' | 'revocation', form: URLSearchParams, signal: AbortSignal, client?: string): Promise<IssuerAnswer>
  health(signal: AbortSignal): Promise<void>
}

export interface OidcClient {
  readonly id: string
  readonly secret: string | undefined
}

const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().int(),
  refresh_token: z.string(),
  /** extension of Keycloak; 0: it does not expire */
  refresh_expires_in: z.number().int().default(0),
  scope: z.string().default(''),
})
const Refusal = z.object({ error: z.string() })
/** Time limit, ms: a password takes an issuer a second of CPU, and much longer under load. */
const defaultLimitMs = 8000
/** Errors that mean that the issuer rejects the platform as a client or its use of the password grant (RFC 6749, section 5.2). */
const refusesClient = new Set(['invalid_client', 'unauthorized_client'])
/** retry interval while an operator must change a setting first */
const refusedRetryMs = 60_000

const nextStep = 'check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and that the issuer allows that client the password grant'

/** The issuer rejects the platform as a client. */
export class ClientRefused extends Error {
  readonly code: string
  readonly next = nextStep
  /** @param code - error code of the issuer */
  constructor(code: string) {
    super(`It rejects the platform’s client (${code}): ${nextStep}`)
    this.name = 'ClientRefused'
    this.code = code
  }
}

export interface OidcIdentityProvider extends IdentityProvider {
  /**
   * Checks without a user whether the issuer accepts the platform as a client. @throws {ClientRefused}
   * @throws {Error} if it does not answer
   */
  checkClient(signal: AbortSignal): Promise<void>
}

/**
 * Logs in, refreshes and logs out at a token endpoint (RFC 6749, sections 4.3 and 6; RFC 7009) as the platform's own client.
 * @param limitMs - time limit of a response; below the deadline of requests, after which it is unknown whether a session exists
 */
export function oidcIdentityProvider(transport: IssuerTransport, client: OidcClient, limitMs = defaultLimitMs): OidcIdentityProvider {
  /** result of the last request */
  let isRefused = false
  const ask = async (
    endpoint: 'token' | 'revocation',
    fields: Record<string, string>,
    signal: AbortSignal,
    address?: string,
  ): Promise<IssuerAnswer> => {
    const form = new URLSearchParams({
      ...fields,
      client_id: client.id,
      ...(client.secret === undefined ? {} : { client_secret: client.secret }),
    })
    const limit = AbortSignal.timeout(limitMs)
    try {
      const answer = await transport.post(endpoint, form, AbortSignal.any([signal, limit]), address)
      const error = Refusal.safeParse(answer.body).data?.error ?? ''
      isRefused = refusesClient.has(error)
      if (isRefused) throw new EngineUnavailable('identity service', new ClientRefused(error), refusedRetryMs)
      return answer
    } catch (error) {
      if (error instanceof Fault) throw error
      if (signal.aborted && signal.reason instanceof Fault) throw signal.reason
      throw unavailable(messageOf(error))
    }
  }
  const session = async (fields: Record<string, string>, signal: AbortSignal, address?: string): Promise<Session> => {
    const { status, body, retryAfterMs = 60_000 } = await ask('token', fields, signal, address)
    if (status === 200) {
      const answer = TokenAnswer.safeParse(body)
      if (!answer.success) throw unavailable('its token response does not conform to RFC 6749 or has no refresh token')
      const { access_token, expires_in, refresh_token, refresh_expires_in, scope } = answer.data
      return {
        accessToken: access_token,
        expiresIn: expires_in,
        refreshToken: refresh_token,
        refreshExpiresIn: refresh_expires_in,
        scope,
      }
    }
    const error = Refusal.safeParse(body).data?.error
    // the form is built here, so only an empty or unreadable credential can be invalid
    if (error === 'invalid_grant' || error === 'invalid_request') throw new InvalidCredentials()
    if (status === 429) throw new Fault('RATE_LIMITED', 'Too many attempts; try again later', { retryAfterMs })
    throw unavailable(`the token endpoint returned HTTP ${status}${error === undefined ? '' : ` with the error ${error}`}`)
  }
  /** Sends no user name; an issuer that accepts the client reports the missing parameter. */
  const checkClient = async (signal: AbortSignal): Promise<void> => {
    try {
      await ask('token', { grant_type: 'password' }, signal)
    } catch (error) {
      throw error instanceof EngineUnavailable && error.cause instanceof Error ? error.cause : error
    }
  }
  return {
    engine: transport.engine,
    login: ({ email, password, address }, signal) =>
      session({ grant_type: 'password', username: email, password, scope: 'openid profile email' }, signal, address),
    refresh: (refreshToken, signal) => session({ grant_type: 'refresh_token', refresh_token: refreshToken }, signal),
    async logout(refreshToken, signal) {
      const { status, body } = await ask('revocation', { token: refreshToken, token_type_hint: 'refresh_token' }, signal)
      // A token unknown to the issuer is not a failure of the logout (RFC 7009, section 2.2); Keycloak and others answer 400.
      if (status !== 200 && Refusal.safeParse(body).data?.error !== 'invalid_token' && status !== 400)
        throw unavailable(`the revocation endpoint returned HTTP ${status}`)
    },
    async health(signal) {
      await transport.health(signal)
      // detects a corrected setting without a login
      if (isRefused) await checkClient(signal)
    },
    checkClient,
  }
}

function unavailable(reason: string): EngineUnavailable {
  return new EngineUnavailable('identity service', new Error(reason))
}
