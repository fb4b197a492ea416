import type { FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { Credentials } from '../../foundation/http/authentication.ts'
import { SlowBody, UnsupportedEncoding } from '../../foundation/http/read-body.ts'
import type { Log } from '../../foundation/log.ts'
import { described } from '../../gateway/errors/without-values.ts'
import { type Challenge, httpRefusal, type Refusal, refusal } from '../response/fault-to-http.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { Endpoint } from '../route/endpoint.ts'

/** An operation that returned errors; bugs among them have been logged already. */
export class RefusedOperation extends Error {
  readonly errors: readonly GraphQLError[]
  /** location of a refused value in the request, unless the route determines it */
  readonly placeOf: PlaceOf | undefined

  constructor(errors: readonly GraphQLError[], placeOf?: PlaceOf) {
    super('the operation was refused')
    this.errors = errors
    this.placeOf = placeOf
  }
}

/** Returns the authentication challenge of a route for these credentials. */
export function challengeOf({ wantsToken }: Pick<Endpoint, 'wantsToken'>, { authorization }: Credentials): Challenge {
  if (wantsToken) return authorization === undefined ? 'no token' : 'another token'
  return authorization === undefined ? 'APIKey' : 'Bearer, APIKey'
}

const internalError = refusal(500, 'Internal Server Error')

/** Returns the response to an error; an unexpected error is logged and answered as an internal error. */
export function refusalFor(
  thrown: unknown,
  { id: requestId, routeOptions: { url: route } }: FastifyRequest,
  log: Log,
  challenge: Challenge = 'APIKey',
  placeOf?: PlaceOf,
): Refusal {
  if (thrown instanceof UnsupportedEncoding) return refusal(415, 'Content-Encoding must be identity or gzip', { 'accept-encoding': 'gzip' })
  if (thrown instanceof SlowBody) return refusal(408, 'The request body timed out', { connection: 'close' })
  if (thrown instanceof RefusedOperation) return httpRefusal(thrown.errors[0], challenge, thrown.placeOf ?? placeOf) ?? internalError
  const httpFault = httpRefusal(thrown, challenge, placeOf)
  if (httpFault === undefined) log.error({ requestId, route, err: described(thrown) }, 'unexpected failure')
  else if (httpFault.status === 503) log.warn({ requestId, route, reason: messageOf(thrown) }, 'refused')
  return httpFault ?? internalError
}
