import { networkOf } from './network-address.ts'

/** Scopes of the service keys of this platform. A gateway over another graph uses that graph's scopes. */
export const serviceScopes = ['submit', 'results', 'results:all', 'votes:write', 'admin'] as const
export type ServiceScope = (typeof serviceScopes)[number]

/** A machine client, authenticated by its API key. */
export interface ServicePrincipal {
  readonly name: string
  readonly scopes: readonly string[]
}

/** A user's profile from the issuer; null for absent claims. */
export interface UserProfile {
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  /** BCP 47 */
  readonly locale: string | null
}

/** A user, authenticated by an access token of the configured issuer. */
export interface UserPrincipal {
  readonly issuer: string
  readonly subject: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  /** scopes of the token; absent if it has none */
  readonly scopes?: readonly string[]
  readonly tenant?: string
  /** the user's own citizen code, if the issuer provides it */
  readonly citizenCode?: string
  /** issue time of the token, seconds since 1970 */
  readonly issuedAt?: number
  /** expiry of the token, seconds since 1970 */
  readonly expiresAt: number
  /** identifies a session that can end before the token expires: open connections verify the token again */
  readonly session?: string
  /** the issuer is unavailable: roles and profile are as of its last answer */
  readonly isProfileStale?: boolean
  readonly profile?: UserProfile
}

/** The caller. An API key and a bearer token together make one principal with both; neither makes it anonymous. */
export interface Principal {
  readonly service?: ServicePrincipal
  readonly user?: UserPrincipal
  /** signed link to private content, not verified: the component of the content verifies it */
  readonly accessLink?: string
  /** with another supergraph: headers that are forwarded to its subgraphs, by lower-case name */
  readonly forwarded?: Readonly<Record<string, string>>
}

export const anonymous: Principal = {}

/** Identifies a caller, for limits: the user and the service, else the network of the address (IPv6: /64). */
export function callerOf({ user, service }: Principal, address = ''): readonly unknown[] {
  if (user === undefined && service === undefined) return ['address', networkOf(address)]
  return ['principal', user?.issuer, user?.subject, service?.name]
}
