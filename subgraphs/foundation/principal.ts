/** A machine client, known by its API key. */
export interface ServicePrincipal {
  readonly name: string
  readonly scopes: readonly string[]
}

/** A person, known by an access token of the configured issuer. */
export interface UserPrincipal {
  readonly issuer: string
  readonly subject: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  readonly tenant?: string
  /** seconds since 1970: when the token ends */
  readonly expiresAt: number
}

/** Who asks. A key and a bearer token together make one principal with both; neither makes an anonymous caller. */
export interface Principal {
  readonly service?: ServicePrincipal
  readonly user?: UserPrincipal
}

export const anonymous: Principal = {}
