import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { EngineUnavailable, InvalidInput, Unauthenticated } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { UserPrincipal } from '../../../foundation/principal.ts'
import { tooLong } from '../../../foundation/validation/violation.ts'
import { permissionsWith, readableByLogin, rolesOf, staff } from '../roles.ts'
import type { OpenedSession, Sessions } from '../session/sessions.ts'
import { Administrator } from './administrator.type.ts'
import { LoginInput, LogoutInput, LogoutPayload, RefreshSessionInput, SessionPayload } from './session.type.ts'

/** an address has at most 254 characters in its path (RFC 5321); the limits are above any real password or token */
const maxLengths = { email: 320, password: 1024, refreshToken: 8192 }

@Resolver()
export class SessionResolver {
  readonly #sessions: Sessions

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  @Mutation(() => SessionPayload, { description: 'Signs an administrator in with e-mail address and password.' })
  async login(@Arg('input', () => LoginInput) { email, password }: LoginInput, @Ctx() context: RequestContext): Promise<SessionPayload> {
    checkLengths({ email, password })
    return payloadOf(await this.#sessions.login(email, password, context))
  }

  @Mutation(() => SessionPayload, { description: 'Exchanges a refresh token for a new session; the refresh token becomes invalid.' })
  async refreshSession(
    @Arg('input', () => RefreshSessionInput) { refreshToken }: RefreshSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<SessionPayload> {
    checkLengths({ refreshToken })
    return payloadOf(await this.#sessions.refresh(refreshToken, context))
  }

  @Mutation(() => LogoutPayload, {
    description:
      'Ends a session. The embedded issuer revokes its access tokens immediately; an external one within 10 s, or when they expire if it offers no UserInfo.',
  })
  async logout(@Arg('input', () => LogoutInput) { refreshToken }: LogoutInput, @Ctx() context: RequestContext): Promise<LogoutPayload> {
    checkLengths({ refreshToken })
    await this.#sessions.logout(refreshToken, context)
    return { ended: true }
  }

  @Query(() => Administrator, { description: 'The administrator whose access token the request carries.' })
  @Authorise(...staff)
  me(@Ctx() { principal: { user } }: RequestContext): Administrator {
    if (user === undefined) throw new Unauthenticated()
    if (user.isProfileStale === true) throw new EngineUnavailable('identity service')
    return administratorOf(user)
  }
}

export function administratorOf({ subject, roles, groups, profile, issuedAt, expiresAt }: UserPrincipal): Administrator {
  return {
    id: subject,
    ...(profile ?? { email: null, emailVerified: false, name: null, givenName: null, familyName: null, locale: null }),
    roles: rolesOf(roles),
    groups: groups.map((id) => ({ id })),
    permissions: permissionsWith(roles),
    issuedAt: issuedAt === undefined ? null : new Date(issuedAt * 1000),
    expiresAt: new Date(expiresAt * 1000),
  }
}

function payloadOf({ user, ...session }: OpenedSession): SessionPayload {
  return { ...session, tokenType: 'Bearer', administrator: readableByLogin(administratorOf(user)) }
}

function checkLengths(values: Partial<Record<keyof typeof maxLengths, string>>): void {
  const entries = Object.entries(maxLengths).flatMap(([name, max]) => {
    const value = values[name as keyof typeof maxLengths]
    return value === undefined || value.length <= max ? [] : [tooLong([name], max)]
  })
  if (entries.length > 0) throw new InvalidInput('E-mail address, password or refresh token is too long', entries)
}
