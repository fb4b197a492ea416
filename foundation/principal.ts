/** What a key of this platform may be good for. A gateway over another graph knows that graph's scopes alone. */
export const serviceScopes = ['submit', 'results', 'results:all', 'votes:write', 'admin'] as const
export type ServiceScope = (typeof serviceScopes)[number]

/** A machine client, known by its API key. */
export interface ServicePrincipal {
  readonly name: string
  readonly scopes: readonly string[]
}

/** What the issuer says about a person; null where it says nothing. */
export interface UserProfile {
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  /** BCP 47 */
  readonly locale: string | null
}

/** A person, known by an access token of the configured issuer. */
export interface UserPrincipal {
  readonly issuer: string
  readonly subject: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  /** what the token was given for; absent: nothing in particular */
  readonly scopes?: readonly string[]
  readonly tenant?: string
  /** their own code as a citizen, where the issuer tells it */
  readonly citizenCode?: string
  /** seconds since 1970: when the token was made */
  readonly issuedAt?: number
  /** seconds since 1970: when the token ends */
  readonly expiresAt: number
  /** the session at the issuer in the platform that the token belongs to; absent with any other issuer */
  readonly session?: string
  readonly profile?: UserProfile
}

/** Who asks. A key and a bearer token together make one principal with both; neither makes an anonymous caller. */
export interface Principal {
  readonly service?: ServicePrincipal
  readonly user?: UserPrincipal
  /** what a caller of somebody else's supergraph shows to its subgraphs: headers by their names in lower case */
  readonly forwarded?: Readonly<Record<string, string>>
}

export const anonymous: Principal = {}
