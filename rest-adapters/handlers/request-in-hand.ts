import type { FastifyReply, FastifyRequest } from 'fastify'
import { described } from '../../gateway/errors.ts'
import type { Credentials } from '../../gateway/http/authentication.ts'
import { type Intake, SlowBody, UnsupportedEncoding } from '../../gateway/http/read-body.ts'
import { messageOf, Unauthenticated } from '../../subgraphs/foundation/fault.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import type { Principal } from '../../subgraphs/foundation/principal.ts'
import { type Challenge, httpRefusal, type Refusal, refusal } from '../response/fault-to-http.ts'
import type { RestServerOptions } from '../rest-server.ts'
import type { Located } from '../route/route.ts'

/** What every handler of this listener works with. */
export interface Listener extends Omit<RestServerOptions, 'log'> {
  readonly log: Log
  readonly intake: Intake
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

export const internalError = refusal(500, 'Internal Server Error')

export function challengeOf({ wantsToken }: Pick<Located, 'wantsToken'>, { authorization }: Credentials): Challenge {
  if (wantsToken) return authorization === undefined ? 'no token' : 'another token'
  return authorization === undefined ? 'APIKey' : 'Bearer, APIKey'
}

/** @throws {Unauthenticated} for a caller that shows nothing */
export function requireCredentials({ user, service }: Principal): void {
  if (user === undefined && service === undefined) throw new Unauthenticated('Not authenticated')
}

/** The headers of a request; one that came several times is one with commas (RFC 9110, section 5.3). */
export function singleHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

/** The promise, or the reason of the signal, whichever comes first: no caller waits for something that has forgotten its deadline. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason)
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

/** Only a bearer token can make us wait for somebody else (its issuer's keys). */
export function patience({ authorization }: Credentials, gone: AbortSignal, ms: number): AbortSignal {
  return authorization === undefined ? gone : AbortSignal.any([gone, AbortSignal.timeout(ms)])
}

/** An operation that failed; `refusal` is undefined for a bug, which is logged already. */
export class RefusedOperation extends Error {
  readonly refusal: Refusal | undefined
  constructor(refused: Refusal | undefined) {
    super('the operation was refused')
    this.refusal = refused
  }

  /** The same, with places in a list of ours as places in the caller's body. */
  at(placeOf: (index: number) => readonly (string | number)[] | undefined): RefusedOperation {
    const { refusal: refused } = this
    if (refused?.status !== 422) return this
    // our own writing, a moment ago
    const { detail } = JSON.parse(refused.body) as { readonly detail: readonly { readonly loc: readonly (string | number)[] }[] }
    const entries = detail.map((entry) => {
      const [list, index, ...member] = entry.loc
      const place = list === 'nodes' && typeof index === 'number' ? placeOf(index) : undefined
      return place === undefined ? entry : { ...entry, loc: [...place, ...member] }
    })
    return new RefusedOperation({ ...refused, body: JSON.stringify({ detail: entries }) })
  }
}

/** The refusal for whatever was thrown; what is no refusal is a bug, logged whole and answered as a plain internal error. */
export function refusalFor(thrown: unknown, request: FastifyRequest, log: Log, challenge: Challenge = 'APIKey'): Refusal {
  if (thrown instanceof UnsupportedEncoding) return refusal(415, 'Content-Encoding must be identity or gzip', { 'accept-encoding': 'gzip' })
  if (thrown instanceof SlowBody) return refusal(408, 'The body stopped coming', { connection: 'close' })
  const known = thrown instanceof RefusedOperation ? (thrown.refusal ?? internalError) : httpRefusal(thrown, challenge)
  if (known === undefined)
    log.error({ requestId: request.id, route: request.routeOptions.url, err: described(thrown) }, 'unexpected failure')
  else if (known.status === 503) log.warn({ requestId: request.id, route: request.routeOptions.url, reason: messageOf(thrown) }, 'refused')
  return known ?? internalError
}
