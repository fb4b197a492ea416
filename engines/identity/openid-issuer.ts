import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { boundedText } from '../../foundation/http/content.ts'
import type { KeyValue } from '../key-value/key-value.ts'
import { LoginSerializer } from './login-serializer.ts'
import type { IssuerAnswer, IssuerTransport, OidcClient } from './oidc-identity-provider.ts'

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
  userinfo_endpoint: z.url().optional(),
  introspection_endpoint: z.url().optional(),
})
type Discovery = z.output<typeof Discovery>
const maxKeys = 100
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(maxKeys) })

const answerLimitMs = 5000
const maxBytes = 1024 * 1024
/** cache lifetime of the discovery document; endpoints rarely change */
const discoveryMs = 600_000

/** Any OpenID Connect issuer, by its URL (OpenID Connect Discovery 1.0). */
export interface OpenIdIssuer {
  readonly transport: IssuerTransport
  /** @throws {EngineUnavailable} if it does not answer in time or its response is invalid */
  readKeys(signal: AbortSignal): Promise<JSONWebKeySet>
  /** Returns which of the two profile services the discovery document names. @throws {EngineUnavailable} */
  profileServices(signal: AbortSignal): Promise<{ readonly userinfo: boolean; readonly introspection: boolean }>
  /** Requests UserInfo with an access token. @returns undefined if the issuer offers none  @throws {EngineUnavailable} */
  userInfo(token: string, signal: AbortSignal): Promise<IssuerAnswer | undefined>
  /** Introspects an access token as the platform's client. @returns undefined if the issuer does not offer it  @throws {EngineUnavailable} */
  introspect(token: string, signal: AbortSignal): Promise<IssuerAnswer | undefined>
}

/**
 * @param url - `iss` of the tokens
 * @param keyValue - coordinates logins between processes; without it each process coordinates only its own
 * @param client - the platform at the issuer, for introspection
 */
export function openIdIssuer(url: string, keyValue?: KeyValue, client?: OidcClient): OpenIdIssuer {
  const logins = new LoginSerializer(keyValue)
  let cached: { readonly endpoints: Discovery; readonly until: number } | undefined

  const discover = async (signal: AbortSignal): Promise<Discovery> => {
    if (cached !== undefined && cached.until > Date.now()) return cached.endpoints
    const { body } = await read(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`, signal)
    const endpoints = valid(Discovery, body, 'invalid discovery document')
    // section 4.3: the issuer must match
    if (endpoints.issuer !== url) throw unavailable('its discovery document names another issuer')
    cached = { endpoints, until: Date.now() + discoveryMs }
    return endpoints
  }

  return {
    transport: {
      engine: 'openid connect',
      async post(endpoint, form, signal) {
        const { token_endpoint, revocation_endpoint } = await discover(signal)
        const address = endpoint === 'token' ? token_endpoint : revocation_endpoint
        if (address === undefined) return { status: 200, body: undefined }
        const send = (until: AbortSignal): Promise<IssuerAnswer> => request(address, { method: 'POST', body: form }, until)
        const person = form.get('username')
        return person === null ? send(signal) : logins.run(person, send, signal)
      },
      async health(signal) {
        cached = undefined
        await discover(signal)
      },
    },
    async profileServices(signal) {
      const { userinfo_endpoint, introspection_endpoint } = await discover(signal)
      return { userinfo: userinfo_endpoint !== undefined, introspection: introspection_endpoint !== undefined }
    },
    async userInfo(token, signal) {
      const { userinfo_endpoint } = await discover(signal)
      return userinfo_endpoint === undefined ? undefined : read(userinfo_endpoint, signal, { authorization: `Bearer ${token}` })
    },
    async introspect(token, signal) {
      const { introspection_endpoint } = await discover(signal)
      if (introspection_endpoint === undefined) return undefined
      const form = new URLSearchParams({
        ...{ token, token_type_hint: 'access_token' },
        ...(client && { client_id: client.id }),
        ...(client?.secret !== undefined && { client_secret: client.secret }),
      })
      const limited = AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)])
      return request(introspection_endpoint, { method: 'POST', body: form }, limited)
    },
    async readKeys(signal) {
      const { jwks_uri } = await discover(signal)
      const { body } = await read(jwks_uri, signal)
      return valid(Keys, body, 'invalid key set')
    },
  }
}

const read = (address: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<IssuerAnswer> =>
  request(address, { method: 'GET', headers }, AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]))

async function request(
  address: string,
  { headers, ...init }: RequestInit & { readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<IssuerAnswer> {
  try {
    const answer = await fetch(address, {
      ...init,
      redirect: 'error',
      headers: { accept: 'application/json', ...headers },
      signal,
    })
    const text = await boundedText(answer, maxBytes)
    if (answer.status >= 500) throw new Error(`${init.method} ${address} returned HTTP ${answer.status}`)
    return { status: answer.status, body: parsed(text) }
  } catch (error) {
    throw unavailable(messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function valid<Value>(schema: z.ZodType<Value>, body: unknown, otherwise: string): Value {
  const result = schema.safeParse(body)
  if (!result.success) throw unavailable(`it has ${otherwise}`)
  return result.data
}

function unavailable(reason: string): EngineUnavailable {
  return new EngineUnavailable('identity service', new Error(reason))
}
