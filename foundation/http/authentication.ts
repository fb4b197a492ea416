import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ApiKey } from '../config/settings/key-rules.ts'
import { Unauthenticated } from '../fault.ts'
import { anonymous, type Principal, type ServicePrincipal, type UserPrincipal } from '../principal.ts'

/** The credentials of a caller, unverified. */
export interface Credentials {
  readonly apiKey: string | undefined
  /** every Authorization header; several are refused */
  readonly authorization: string | readonly string[] | undefined
  /** signed link to private content: the header `X-Content-Access` or the parameter `access` of the address */
  readonly accessLink?: string | undefined
  /** any header or member of an init payload, by lower-case name */
  readonly named: (name: string) => string | undefined
}

/** longer than any signed link; it travels in the principal token */
const maxLinkLength = 1000

/** Authenticates callers. */
export interface Authentication {
  /** headers that identify the caller (default: `Authorization` and `X-Service-API-Key`): private responses vary by them */
  readonly headers?: readonly string[]
  /**
   * Returns the principal: anonymous without credentials; a key and a bearer token make one principal with both. @throws {Unauthenticated} for a
   * wrong or empty key, an invalid token, or two Authorization headers
   */
  principalOf(credentials: Credentials, signal: AbortSignal): Promise<Principal>
}

/** Whether a key or a token of the caller was verified here; forwarded headers were not. */
export const isIdentified = ({ service, user }: Principal): boolean => service !== undefined || user !== undefined

/** Returns the names of the headers that identify callers. */
export const headersOf = ({ headers = ['authorization', 'x-service-api-key'] }: Authentication): readonly string[] => headers

/** Returns the token of an Authorization header with the scheme Bearer (RFC 6750, section 2.1), or undefined. */
export function bearerToken(header: string): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1]
}

/** Verifies access tokens of the issuer. */
export interface TokenVerifier {
  /** @throws {Unauthenticated} unless the access token is valid */
  verify(token: string, signal: AbortSignal): Promise<UserPrincipal>
}

/** Returns the credentials of an HTTP request. Reads all Authorization headers; `headers` of Node contains only the first. */
export function credentialsOf({
  headers,
  headersDistinct,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'headersDistinct'> & { readonly url?: string | undefined }): Credentials {
  const named = (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  return {
    apiKey: named('x-service-api-key'),
    accessLink: named(accessLinkHeader) ?? linkIn(url),
    named,
    authorization: headers.authorization === undefined ? undefined : headersDistinct.authorization,
  }
}

/** header, or member of an init payload, with a signed link to private content */
export const accessLinkHeader = 'x-content-access'

function linkIn(url: string): string | undefined {
  const query = url.indexOf('?')
  if (query < 0 || !url.includes('access=', query)) return undefined
  return new URLSearchParams(url.slice(query)).get('access') ?? undefined
}

/** Returns the deadline of authentication: only a bearer token can wait for another service (keys of its issuer). */
export function signInDeadline({ authorization }: Credentials, disconnected: AbortSignal, ms: number): AbortSignal {
  return authorization === undefined ? disconnected : AbortSignal.any([disconnected, AbortSignal.timeout(ms)])
}

/** Keys that can be created and revoked at run time. */
export interface StoredKeys {
  /** Returns undefined for a wrong key */
  find(key: string): Promise<ServicePrincipal | undefined>
}

/**
 * Forwards these headers to subgraphs that authenticate callers themselves (over WebSocket the members of the init payload with these names, in the
 * init payload of a separate connection); verifies nothing.
 */
export function forwardingAuthentication(names: readonly string[]): Authentication {
  return {
    headers: names,
    async principalOf({ named }) {
      const forwarding = names.flatMap((name) => {
        const value = named(name)
        if (value === undefined) return []
        // an init payload may contain what a header cannot: a line break, non-Latin text
        if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new Unauthenticated(`${name} cannot be forwarded`)
        return [[name, value] as const]
      })
      return forwarding.length === 0 ? anonymous : { forwarded: Object.fromEntries(forwarding) }
    },
  }
}

/** Combines authentication here with forwarded headers. */
export function combinedAuthentication(verifying: Authentication, forwarding: Authentication): Authentication {
  return {
    headers: [...headersOf(verifying), ...headersOf(forwarding)],
    async principalOf(credentials, signal) {
      const forwarded = await forwarding.principalOf(credentials, signal)
      return { ...(await verifying.principalOf(credentials, signal)), ...forwarded }
    },
  }
}

/** @param options - without `tokenVerifier` bearer tokens are refused, without `storedKeys` only `apiKeys` are valid */
export function createAuthentication(options: {
  readonly apiKeys: readonly ApiKey[]
  readonly storedKeys?: StoredKeys
  readonly tokenVerifier?: TokenVerifier
}): Authentication {
  const keys = options.apiKeys.map(({ name, sha256, scopes }) => ({ digest: Buffer.from(sha256, 'hex'), service: { name, scopes } }))

  const serviceOf = async (apiKey: string): Promise<ServicePrincipal> => {
    const digest = createHash('sha256').update(apiKey).digest()
    // Compares every key in constant time, so that timing reveals nothing.
    const match = keys.filter((key) => timingSafeEqual(key.digest, digest))[0]
    const service = match?.service ?? (apiKey === '' ? undefined : await options.storedKeys?.find(apiKey))
    if (apiKey === '' || service === undefined) throw new Unauthenticated('Invalid API key')
    return service
  }

  const userOf = async (authorization: string | readonly string[], signal: AbortSignal): Promise<UserPrincipal> => {
    const [header, second] = typeof authorization === 'string' ? [authorization] : authorization
    if (second !== undefined) throw new Unauthenticated('More than one Authorization header')
    const token = bearerToken(header ?? '')
    if (token === undefined) throw new Unauthenticated('The Authorization header is not a bearer token')
    if (options.tokenVerifier === undefined) throw new Unauthenticated('Bearer tokens are not accepted here')
    return options.tokenVerifier.verify(token, signal)
  }

  return {
    async principalOf({ apiKey, authorization, accessLink }, signal) {
      if (apiKey === undefined && authorization === undefined && accessLink === undefined) return anonymous
      return {
        ...(accessLink === undefined || accessLink.length > maxLinkLength ? {} : { accessLink }),
        ...(apiKey === undefined ? {} : { service: await serviceOf(apiKey) }),
        ...(authorization === undefined ? {} : { user: await userOf(authorization, signal) }),
      }
    },
  }
}
