import { type AuditEntry, type AuditTrail, accountTarget } from '../../../engines/audit/audit-trail.ts'
import { type IdentityProvider, InvalidCredentials, type Session } from '../../../engines/identity/identity-provider.ts'
import type { LoginGuard } from '../../../engines/identity/login-guard.ts'
import type { TokenVerifier } from '../../../engines/identity/token-verifier.ts'
import type { PartitionedKeyValue } from '../../../engines/key-value/key-value.ts'
import { countRequest, isLoopback } from '../../../engines/key-value/rate-limit.ts'
import { Forbidden } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { UserPrincipal } from '../../../foundation/principal.ts'
import { rolesOf } from '../roles.ts'

export interface SessionDependencies {
  readonly identity: IdentityProvider
  readonly verifier: TokenVerifier
  readonly guard: LoginGuard
  readonly audit: AuditTrail
  readonly keyValue: PartitionedKeyValue
}

/** A session and its administrator. */
export interface OpenedSession extends Session {
  readonly user: UserPrincipal
}

const endLimitMs = 1000
/** Refused refreshes, and logouts, of one address: each writes a record of the audit trail. */
const refusalPolicy = { name: 'sessions', quota: 60, seconds: 60 }

/** Sessions of administrators at the identity service. Decides who may sign in and audits each attempt. */
export class Sessions {
  readonly #parts: SessionDependencies

  constructor(parts: SessionDependencies) {
    this.#parts = parts
  }

  /**
   * @throws {InvalidCredentials} in about the same time for any cause  @throws {Fault} RATE_LIMITED while the account or address is locked
   * @throws {Forbidden} for a user who is not an administrator  @throws {EngineUnavailable} {DeadlineExceeded} without a session
   */
  async login(email: string, password: string, context: RequestContext): Promise<OpenedSession> {
    const { identity, guard, audit } = this.#parts
    const attempt = { action: 'login', target: accountTarget(email) } as const
    try {
      return await context.deadline.commit(async () => {
        const session = await guard.watch(
          { email, address: context.address },
          () => identity.login({ email, password, address: context.address }, context.signal),
          (error) => error instanceof InvalidCredentials,
        )
        return this.#forAdministrators(session, attempt, context)
      })
    } catch (error) {
      if (error instanceof InvalidCredentials) await audit.record(context, [{ ...attempt, outcome: 'refused' }])
      throw error
    }
  }

  /** @throws {InvalidCredentials}  @throws {Fault} RATE_LIMITED after many of one address  @throws {Forbidden} for a user who is no longer an administrator  @throws {EngineUnavailable} */
  async refresh(refreshToken: string, context: RequestContext): Promise<OpenedSession> {
    const attempt = { action: 'session.refresh' } as const
    try {
      return await context.deadline.commit(async () => {
        const session = await this.#parts.identity.refresh(refreshToken, context.signal)
        // the refresh token is used up whatever the result
        context.deadline.recordCommit()
        return this.#forAdministrators(session, attempt, context)
      })
    } catch (error) {
      if (error instanceof InvalidCredentials) {
        await this.#count('refused-refresh', context)
        await this.#parts.audit.record(context, [{ ...attempt, outcome: 'refused' }])
      }
      throw error
    }
  }

  /** @throws {Fault} RATE_LIMITED after many of one address  @throws {EngineUnavailable} */
  async logout(refreshToken: string, context: RequestContext): Promise<void> {
    await this.#count('logout', context)
    await context.deadline.commit(() => this.#parts.identity.logout(refreshToken, context.signal))
    await this.#parts.audit.record(context, [{ action: 'logout', outcome: 'done' }])
  }

  async #count(prefix: string, { address }: RequestContext): Promise<void> {
    if (address === undefined || isLoopback(address)) return
    const refusal = 'Too many requests for sessions from this address; try again'
    await countRequest(this.#parts.keyValue.partition('counters'), { prefix, policy: refusalPolicy, refusal }, address)
  }

  /** Refuses users who are not administrators; they get tokens from the identity provider directly. Ends a session that is not returned. */
  async #forAdministrators(session: Session, attempt: Omit<AuditEntry, 'outcome'>, context: RequestContext): Promise<OpenedSession> {
    const { identity, verifier, audit } = this.#parts
    try {
      const user: UserPrincipal = await verifier.verify(session.accessToken, context.signal)
      const by = { ...context, requestId: context.requestId, principal: { user } }
      if (rolesOf(user.roles).length === 0) {
        await audit.record(by, [{ ...attempt, outcome: 'refused', details: { reason: 'not an administrator' } }])
        throw new Forbidden('Only administrators can sign in here')
      }
      await audit.record(by, [{ ...attempt, outcome: 'done' }])
      return { ...session, user }
    } catch (error) {
      // if this fails, the session expires
      await identity.logout(session.refreshToken, AbortSignal.timeout(endLimitMs)).catch(() => undefined)
      throw error
    }
  }
}
