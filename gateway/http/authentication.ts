import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ApiKey } from '../../foundation/config/key-rules.ts'
import { Unauthenticated } from '../../foundation/fault.ts'
import { anonymous, type Principal, type ServicePrincipal, type UserPrincipal } from '../../foundation/principal.ts'

/** What a caller showed, as it came. */
export interface Credentials {
  readonly apiKey: string | undefined
  /** every Authorization header; more than one is refused */
  readonly authorization: string | readonly string[] | undefined
  /** any header, or any member of an init payload, by its name in lower case */
  readonly named: (name: string) => string | undefined
}

/** Who stands behind credentials. */
export interface Authentication {
  /** names of the headers that say who asks (default: `Authorization` and `X-Service-API-Key`): what is private is not the same for others in them */
  readonly headers?: readonly string[]
  /**
   * Anonymous when nothing is shown; a key and a bearer token together make one principal with both.
   * @throws {Unauthenticated} for a present but wrong or empty key, for a token that does not verify, for two Authorization headers
   */
  principalOf(credentials: Credentials, signal: AbortSignal): Promise<Principal>
}

/** Whether a key or a token of the caller was verified here; forwarded headers were not. */
export const isIdentified = ({ service, user }: Principal): boolean => service !== undefined || user !== undefined

/** Names of the headers by which callers differ. */
export const headersOf = ({ headers = ['authorization', 'x-service-api-key'] }: Authentication): readonly string[] => headers

/** Checks access tokens of the issuer. */
export interface TokenVerifier {
  /** @throws {Unauthenticated} for anything but a valid access token */
  verify(token: string, signal: AbortSignal): Promise<UserPrincipal>
}

/** The credentials of a request over HTTP. Node keeps only the first Authorization header in `headers`: all of them are read here. */
export function credentialsOf({ headers, headersDistinct }: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): Credentials {
  const named = (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  return {
    apiKey: named('x-service-api-key'),
    named,
    authorization: headers.authorization === undefined ? undefined : headersDistinct.authorization,
  }
}

/** Until when a sign-in is waited for: only a bearer token can make us wait for somebody else (its issuer's keys). */
export function signInDeadline({ authorization }: Credentials, gone: AbortSignal, ms: number): AbortSignal {
  return authorization === undefined ? gone : AbortSignal.any([gone, AbortSignal.timeout(ms)])
}

/** Keys that are made and revoked while the platform runs. */
export interface StoredKeys {
  /** undefined for a wrong key */
  find(key: string): Promise<ServicePrincipal | undefined>
}

/**
 * For a supergraph whose subgraphs know their callers themselves: nothing is checked here, and these headers reach them as they came (on
 * WebSocket the members of the init payload of these names, in the init payload of a connection of their own).
 */
export function forwardingAuthentication(names: readonly string[]): Authentication {
  return {
    headers: names,
    async principalOf({ named }) {
      const shown = names.flatMap((name) => {
        const value = named(name)
        if (value === undefined) return []
        // A member of an init payload may hold what no header can: a line break, another alphabet.
        if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new Unauthenticated(`${name} cannot be handed on`)
        return [[name, value] as const]
      })
      return shown.length === 0 ? anonymous : { forwarded: Object.fromEntries(shown) }
    },
  }
}

/** Those who are known by their credentials here, and what they show to the subgraphs besides. */
export function bothAuthentications(known: Authentication, shown: Authentication): Authentication {
  return {
    headers: [...headersOf(known), ...headersOf(shown)],
    async principalOf(credentials, signal) {
      const forwarded = await shown.principalOf(credentials, signal)
      return { ...(await known.principalOf(credentials, signal)), ...forwarded }
    },
  }
}

/** @param options - without a `tokenVerifier` every bearer token is refused, without `storedKeys` only `apiKeys` count */
export function createAuthentication(options: {
  readonly apiKeys: readonly ApiKey[]
  readonly storedKeys?: StoredKeys
  readonly tokenVerifier?: TokenVerifier
}): Authentication {
  const keys = options.apiKeys.map(({ name, sha256, scopes }) => ({ digest: Buffer.from(sha256, 'hex'), service: { name, scopes } }))

  const serviceOf = async (apiKey: string): Promise<ServicePrincipal> => {
    const digest = createHash('sha256').update(apiKey).digest()
    // Every key is compared, and each in constant time: how long it takes tells nothing.
    const found = keys.filter((key) => timingSafeEqual(key.digest, digest))[0]
    const service = found?.service ?? (apiKey === '' ? undefined : await options.storedKeys?.find(apiKey))
    if (apiKey === '' || service === undefined) throw new Unauthenticated('Invalid API key')
    return service
  }

  const userOf = async (authorization: string | readonly string[], signal: AbortSignal): Promise<UserPrincipal> => {
    const [header, second] = typeof authorization === 'string' ? [authorization] : authorization
    if (second !== undefined) throw new Unauthenticated('More than one Authorization header')
    const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '') ?? []
    if (token === undefined) throw new Unauthenticated('The Authorization header is not a bearer token')
    if (options.tokenVerifier === undefined) throw new Unauthenticated('Bearer tokens are not accepted here')
    return options.tokenVerifier.verify(token, signal)
  }

  return {
    async principalOf({ apiKey, authorization }, signal) {
      if (apiKey === undefined && authorization === undefined) return anonymous
      return {
        ...(apiKey === undefined ? {} : { service: await serviceOf(apiKey) }),
        ...(authorization === undefined ? {} : { user: await userOf(authorization, signal) }),
      }
    },
  }
}
