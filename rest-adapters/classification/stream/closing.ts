import type { WebSocket } from 'ws'
import { Fault, InvalidInput } from '../../../foundation/fault.ts'
import { closeSoon } from '../../../foundation/http/close-socket.ts'
import type { Log } from '../../../foundation/log.ts'
import { described } from '../../../gateway/errors/without-values.ts'
import { UnknownValue } from './filter.ts'
import { frameOf } from './server-frames.ts'

/** Documented close codes, besides 4403 (token expired) and 1009 (frame too large). */
export const closeCodes = { badRequest: 4400, unauthorised: 4401, later: 1013, flood: 1008, goingAway: 1001 } as const

/** Closes a connection after an error; a bug is logged unless the channel is stopping. @param seq - the last one */
export function closeFor(
  socket: WebSocket,
  error: unknown,
  seq: number,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): void {
  if (socket.readyState !== socket.OPEN) return
  if (error instanceof InvalidInput) {
    const valid = error instanceof UnknownValue ? { valid: [...error.valid] } : {}
    socket.send(frameOf('error', seq, { code: error.code, detail: error.message, ...valid }))
    closeSoon(socket, closeCodes.badRequest, 'Bad request')
    return
  }
  if (error instanceof Fault && error.code === 'RATE_LIMITED') {
    socket.send(frameOf('error', seq, { code: error.code, detail: error.message }))
    closeSoon(socket, closeCodes.later, 'Too many connections')
    return
  }
  const isUnauthorised = error instanceof Fault && error.code === 'UNAUTHENTICATED'
  if (!(error instanceof Fault) && !signal.aborted) log.error({ err: described(error) }, 'a client of the stream failed')
  if (isUnauthorised) closeSoon(socket, closeCodes.unauthorised, 'Unauthorized')
  else closeSoon(socket, closeCodes.later, 'Try again later')
}
