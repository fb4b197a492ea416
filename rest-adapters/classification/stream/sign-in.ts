import type { WebSocket } from 'ws'
import { Fault } from '../../../foundation/fault.ts'
import type { Principal } from '../../../foundation/principal.ts'
import type { Authentication } from '../../../gateway/http/authentication.ts'
import { closeWhenExpired, closeWhenRevoked, revocable } from '../../../gateway/http/credentials-end.ts'

const signInMs = 10_000

/** Lets clients in by the token in their address, so many of one user at once. */
export class SignIn {
  readonly #authentication: Authentication
  readonly #maxPerUser: number
  readonly #connections = new Map<string, number>()

  constructor(authentication: Authentication, maxPerUser: number) {
    this.#authentication = authentication
    this.#maxPerUser = maxPerUser
  }

  /**
   * From here on the connection ends with its token.
   * @throws {Unauthenticated}  @throws {Fault} RATE_LIMITED for one connection too many
   */
  async admit(socket: WebSocket, query: URLSearchParams, signal: AbortSignal): Promise<void> {
    const tokens = query.getAll('token')
    // two tokens are refused as two headers are; none is one that nobody made
    const authorization = tokens.length === 1 ? `Bearer ${tokens[0]}` : 'Bearer'
    const credentials = { apiKey: undefined, authorization, named: () => undefined }
    const principal = await this.#authentication.principalOf(credentials, AbortSignal.any([signal, AbortSignal.timeout(signInMs)]))
    // its end was told before anybody listened for it
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
      const left = (this.#connections.get(name) ?? 1) - 1
      if (left > 0) this.#connections.set(name, left)
      else this.#connections.delete(name)
    })
  }
}
