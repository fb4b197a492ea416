import type { WebSocket } from 'ws'
import { Fault } from '../../../foundation/fault.ts'
import type { Authentication, Credentials } from '../../../foundation/http/authentication.ts'
import { closeWhenExpired, closeWhenRevoked, revocable } from '../../../foundation/http/credentials-end.ts'
import type { Principal } from '../../../foundation/principal.ts'

type UserPrincipal = Principal & { readonly user: NonNullable<Principal['user']> }

const signInMs = 10_000

/** An admitted connection. */
export interface Admission {
  /** end of the token, in seconds since 1970 */
  readonly expiresAt: number
  /** Replaces the token by a later one of the same user. @throws {Unauthenticated} */
  renew(token: string): Promise<void>
}

/** Admits clients by the token in their address, with a limit of connections per user. */
export class SignIn {
  readonly #authentication: Authentication
  readonly #maxPerUser: number
  readonly #connections = new Map<string, number>()

  constructor(authentication: Authentication, maxPerUser: number) {
    this.#authentication = authentication
    this.#maxPerUser = maxPerUser
  }

  /**
   * Admits a connection until its token expires.
   * @throws {Unauthenticated}  @throws {Fault} RATE_LIMITED above the limit of connections
   */
  async admit(socket: WebSocket, query: URLSearchParams, signal: AbortSignal): Promise<Admission> {
    const tokens = query.getAll('token')
    // two tokens are refused like two headers; a missing one like an invalid one
    let { principal, credentials } = await this.#verify(tokens.length === 1 ? tokens[0] : undefined, signal)
    // the connection closed before the listener was added
    if (socket.readyState === socket.CLOSED) throw new Fault('UNAUTHENTICATED', 'The connection is closed')
    this.#count(socket, principal)
    let watch = this.#watch(socket, principal, credentials)
    return {
      get expiresAt() {
        return principal.user.expiresAt
      },
      renew: async (token) => {
        const next = await this.#verify(token, signal)
        if (userOf(next.principal) !== userOf(principal)) throw new Fault('UNAUTHENTICATED', 'The token is of another user')
        if (socket.readyState !== socket.OPEN) return
        watch.abort()
        principal = next.principal
        watch = this.#watch(socket, principal, next.credentials)
      },
    }
  }

  async #verify(
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly principal: UserPrincipal; readonly credentials: Credentials }> {
    const authorization = token === undefined ? 'Bearer' : `Bearer ${token}`
    const credentials = { apiKey: undefined, authorization, named: () => undefined }
    const { user, ...rest } = await this.#authentication.principalOf(credentials, AbortSignal.any([signal, AbortSignal.timeout(signInMs)]))
    if (user === undefined) throw new Fault('UNAUTHENTICATED', 'The token has no user (claim sub): send an access token of a user')
    return { principal: { ...rest, user }, credentials }
  }

  /** Closes the connection when the token expires or its session ends. @returns ends the watch */
  #watch(socket: WebSocket, principal: Principal, credentials: Credentials): AbortController {
    const replaced = new AbortController()
    closeWhenExpired(socket, principal, replaced.signal)
    closeWhenRevoked(
      socket,
      principal,
      (again) => this.#authentication.principalOf(revocable(credentials, principal), again),
      replaced.signal,
    )
    return replaced
  }

  #count(socket: WebSocket, principal: UserPrincipal): void {
    const name = userOf(principal)
    const count = (this.#connections.get(name) ?? 0) + 1
    if (count > this.#maxPerUser) throw new Fault('RATE_LIMITED', 'Too many connections of this user: close one or try again later')
    this.#connections.set(name, count)
    socket.once('close', () => {
      const remaining = (this.#connections.get(name) ?? 1) - 1
      if (remaining > 0) this.#connections.set(name, remaining)
      else this.#connections.delete(name)
    })
  }
}

const userOf = ({ user }: UserPrincipal): string => JSON.stringify([user.issuer, user.subject])
