import { CloseCode } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'
import type { Credentials } from './authentication.ts'
import { closeSoon } from './close-socket.ts'

const maxTimerMs = 2 ** 31 - 1
const checkEveryMs = 5000

/** Calls `expired` once when the caller's token expires. @param gone - cancels */
export function whenExpired({ user }: Principal, gone: AbortSignal, expired: () => void): void {
  if (user === undefined || gone.aborted) return
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    const leftMs = user.expiresAt * 1000 - Date.now()
    if (leftMs <= 0) expired()
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs))
  }
  gone.addEventListener('abort', () => clearTimeout(timer), { once: true })
  wait()
}

/**
 * Calls back when a service key is revoked or a session of the embedded issuer has ended. @param reauthenticate - rejects with UNAUTHENTICATED then
 * @param gone - cancels
 */
export function whenRevoked(
  { service, user }: Principal,
  reauthenticate: (signal: AbortSignal) => Promise<unknown>,
  gone: AbortSignal,
  revoked: () => void,
): void {
  if ((service === undefined && user?.session === undefined) || gone.aborted) return
  const check = (): Promise<unknown> =>
    reauthenticate(AbortSignal.timeout(checkEveryMs)).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'UNAUTHENTICATED') revoked()
    })
  const timer = setInterval(check, checkEveryMs)
  gone.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** Closes a connection with 4403 when its token expires; the client reconnects with a new one. @param replaced - another token is used instead */
export const closeWhenExpired = (socket: WebSocket, principal: Principal, replaced?: AbortSignal): void =>
  whenExpired(principal, closedSignal(socket, replaced), () => closeSoon(socket, CloseCode.Forbidden, 'Token expired'))

/** Closes a connection with 4401 when its key was revoked or its session has ended. @param reauthenticate - rejects with UNAUTHENTICATED then */
export const closeWhenRevoked = (
  socket: WebSocket,
  principal: Principal,
  reauthenticate: (signal: AbortSignal) => Promise<unknown>,
  replaced?: AbortSignal,
): void =>
  whenRevoked(principal, reauthenticate, closedSignal(socket, replaced), () => closeSoon(socket, CloseCode.Unauthorized, 'Unauthorized'))

/** Returns the credentials to verify again during a connection: a token only if its session can end before it expires. */
export const revocable = (credentials: Credentials, { user }: Principal): Credentials =>
  user?.session === undefined ? { ...credentials, authorization: undefined } : credentials

/** Returns a signal that is aborted when the socket has closed or another token is used; its listener on the socket ends with it. */
function closedSignal(socket: WebSocket, replaced?: AbortSignal): AbortSignal {
  const over = new AbortController()
  const end = (): void => {
    socket.off('close', end)
    over.abort()
  }
  if (socket.readyState === socket.CLOSED || replaced?.aborted === true) over.abort()
  else {
    socket.once('close', end)
    replaced?.addEventListener('abort', end, { once: true })
  }
  return over.signal
}
