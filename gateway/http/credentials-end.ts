import { CloseCode } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { Fault } from '../../subgraphs/foundation/fault.ts'
import type { Principal } from '../../subgraphs/foundation/principal.ts'
import { closeSoon } from './close-socket.ts'

const maxTimerMs = 2 ** 31 - 1
const keyEveryMs = 5000

/** Closes a connection with 4403 when its caller's token ends: the client connects again with a fresh one. */
export function closeWhenExpired(socket: WebSocket, { user }: Principal): void {
  if (user === undefined || socket.readyState === socket.CLOSED) return
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    const leftMs = user.expiresAt * 1000 - Date.now()
    if (leftMs <= 0) closeSoon(socket, CloseCode.Forbidden, 'Token expired')
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs))
  }
  socket.once('close', () => clearTimeout(timer))
  wait()
}

/** Closes a service's connection with 4401 when its key is taken no more. @param ask - rejects with UNAUTHENTICATED then */
export function closeWhenRevoked(socket: WebSocket, { service }: Principal, ask: (signal: AbortSignal) => Promise<unknown>): void {
  if (service === undefined || socket.readyState === socket.CLOSED) return
  const look = (): Promise<unknown> =>
    ask(AbortSignal.timeout(keyEveryMs)).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'UNAUTHENTICATED') closeSoon(socket, CloseCode.Unauthorized, 'Unauthorized')
    })
  const timer = setInterval(look, keyEveryMs)
  socket.once('close', () => clearInterval(timer))
}
