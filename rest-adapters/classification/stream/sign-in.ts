import type { WebSocket } from 'ws'
import { Fault } from '../../../foundation/fault.ts'
import type { Authentication } from '../../../foundation/http/authentication.ts'
import { closeWhenExpired, closeWhenRevoked, revocable } from '../../../foundation/http/credentials-end.ts'
import type { Principal } from '../../../foundation/principal.ts'

const signInMs = 10_000

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
  async admit(socket: WebSocket, query: URLSearchParams, signal: AbortSignal): Promise<void> {
    const tokens = query.getAll('token')
    // two tokens are refused like two headers; a missing one like an invalid one
    const authorization = tokens.length === 1 ? `Bearer ${tokens[0]}` : 'Bearer'
    const credentials = { apiKey: undefined, authorization, named: () => undefined }
    const principal = await this.#authentication.principalOf(credentials, AbortSignal.any([signal, AbortSignal.timeout(signInMs)]))
    // the connection closed before the listener was added
    if (socket.readyState === socket.CLOSED) throw new Fault('UNAUTHENTICATED', 'The connection is closed')
    this.#count(socket, principal)
    closeWhenExpired(socket, principal)
    closeWhenRevoked(socket, principal, (again) => this.#authentication.principalOf(revocable(credentials, principal), again))
  }

  #count(socket: WebSocket, { user }: Principal): void {
    if (user === undefined) return
    const name = JSON.stringify([user.issuer, user.subject])
    const count = (this.#connections.get(name) ?? 0) + 1
    if (count > this.#maxPerUser) throw new Fault('RATE_LIMITED', 'Too many connections')
    this.#connections.set(name, count)
    socket.once('close', () => {
      const remaining = (this.#connections.get(name) ?? 1) - 1
      if (remaining > 0) this.#connections.set(name, remaining)
      else this.#connections.delete(name)
    })
  }
}
