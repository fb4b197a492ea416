import { z } from 'zod'
import { EngineUnavailable, Fault, messageOf } from '../../foundation/fault.ts'
import { type IdentityProvider, InvalidCredentials, type Session } from './identity-provider.ts'

export interface IssuerAnswer {
  readonly status: number
  readonly body: unknown
  /** of `Retry-After`, where the answer has it */
  readonly retryAfterMs?: number
}

/** How requests reach an issuer: over HTTP, or in this process. */
export interface IssuerTransport {
  readonly engine: string
  /** @param signal - also bounds how long the caller waits   @param client - the address on whose behalf it is sent */
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
  /** Keycloak's, not standard; 0 means that it does not end by itself */
  refresh_expires_in: z.number().int().default(0),
  scope: z.string().default(''),
})
const Refusal = z.object({ error: z.string() })
/** A password costs an issuer a second of its processor, and many times as long beside other work. */
const usualLimitMs = 8000
/** The answers of an issuer that does not take the platform for its client, or does not let it ask with passwords (RFC 6749, section 5.2). */
const refusesClient = new Set(['invalid_client', 'unauthorized_client'])
/** somebody has to change a setting first */
const refusedRetryMs = 60_000

const nextStep = 'look at OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and whether the issuer lets that client use the password grant'

/** For an operator: the issuer does not take the platform for its client. */
export class ClientRefused extends Error {
  readonly code: string
  readonly next = nextStep
  /** @param code - in the issuer's words */
  constructor(code: string) {
    super(`It refuses the platform’s client (${code}): ${nextStep}`)
    this.name = 'ClientRefused'
    this.code = code
  }
}

export interface OidcIdentityProvider extends IdentityProvider {
  /** Asks whether the issuer takes the platform for its client, without a person.   @throws {ClientRefused}  @throws {Error} when it does not answer */
  checkClient(signal: AbortSignal): Promise<void>
}

/**
 * Logs in, refreshes and logs out at a token endpoint (RFC 6749, sections 4.3 and 6; RFC 7009), as the platform's own client.
 * @param limitMs - of an answer; before the deadline of the request, after which nobody could say that there is no session
 */
export function oidcIdentityProvider(transport: IssuerTransport, client: OidcClient, limitMs = usualLimitMs): OidcIdentityProvider {
  /** as it was told at the last question */
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
      if (!answer.success) throw unavailable('its token answer is not one of RFC 6749 with a refresh token')
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
    // the form is ours: what can be wrong with it is an empty or unreadable credential
    if (error === 'invalid_grant' || error === 'invalid_request') throw new InvalidCredentials()
    if (status === 429) throw new Fault('RATE_LIMITED', 'Too many attempts; try again later', { retryAfterMs })
    throw unavailable(`it answered ${status} ${error ?? ''}`)
  }
  /** Without the name of a person: who knows the client says that this is missing. */
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
      // A token that is none of the issuer's is no failure of the logout (RFC 7009, section 2.2); Keycloak and others answer 400.
      if (status !== 200 && Refusal.safeParse(body).data?.error !== 'invalid_token' && status !== 400)
        throw unavailable(`it answered ${status}`)
    },
    async health(signal) {
      await transport.health(signal)
      // nobody needs to log in first to see that it is mended
      if (isRefused) await checkClient(signal)
    },
    checkClient,
  }
}

function unavailable(reason: string): EngineUnavailable {
  return new EngineUnavailable('identity service', new Error(reason))
}
