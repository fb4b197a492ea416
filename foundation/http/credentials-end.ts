import { CloseCode } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'
import type { Credentials } from './authentication.ts'
import { closeSoon } from './close-socket.ts'

const maxTimerMs = 2 ** 31 - 1
const checkEveryMs = 5000

/** Calls `expired` once when the caller's token expires. @param disconnected - cancels */
export function whenExpired({ user }: Principal, disconnected: AbortSignal, expired: () => void): void {
  if (user === undefined || disconnected.aborted) return
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    const leftMs = user.expiresAt * 1000 - Date.now()
    if (leftMs <= 0) expired()
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs))
  }
  disconnected.addEventListener('abort', () => clearTimeout(timer), { once: true })
  wait()
}

/**
 * Calls back when a service key is revoked, a session of the embedded issuer has ended, or the caller has lost a role, a group or a scope.
 * @param reauthenticate - rejects with UNAUTHENTICATED for a revoked key or an ended session
 * @param disconnected - cancels
 */
export function whenRevoked(
  principal: Principal,
  reauthenticate: (signal: AbortSignal) => Promise<Principal>,
  disconnected: AbortSignal,
  revoked: () => void,
): void {
  if ((principal.service === undefined && principal.user?.session === undefined) || disconnected.aborted) return
  const check = async (): Promise<void> => {
    try {
      if (hasLost(principal, await reauthenticate(AbortSignal.timeout(checkEveryMs)))) revoked()
    } catch (error) {
      if (error instanceof Fault && error.code === 'UNAUTHENTICATED') revoked()
    }
  }
  const timer = setInterval(check, checkEveryMs)
  disconnected.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** Whether a role, a group or a scope is missing that the caller had. A principal without one part, which was not verified again, has lost none of it. */
function hasLost({ user, service }: Principal, now: Principal): boolean {
  const isMissing = (before: readonly string[] = [], after: readonly string[] = before): boolean =>
    before.some((each) => !after.includes(each))
  return (
    isMissing(user?.roles, now.user?.roles) || isMissing(user?.groups, now.user?.groups) || isMissing(service?.scopes, now.service?.scopes)
  )
}

/** Closes a connection with 4403 when its token expires; the client reconnects with a new one. @param replaced - another token is used instead */
export const closeWhenExpired = (socket: WebSocket, principal: Principal, replaced?: AbortSignal): void =>
  whenExpired(principal, closedSignal(socket, replaced), () => closeSoon(socket, CloseCode.Forbidden, 'Token expired'))

/** Closes a connection with 4401 when its key was revoked, its session has ended, or its caller has lost a right; see `whenRevoked`. */
export const closeWhenRevoked = (
  socket: WebSocket,
  principal: Principal,
  reauthenticate: (signal: AbortSignal) => Promise<Principal>,
  replaced?: AbortSignal,
): void =>
  whenRevoked(principal, reauthenticate, closedSignal(socket, replaced), () => closeSoon(socket, CloseCode.Unauthorized, 'Unauthorized'))

/** Returns the credentials to verify again during a connection: a token only if its session can end before it expires. */
export const revocable = (credentials: Credentials, { user }: Principal): Credentials =>
  user?.session === undefined ? { ...credentials, authorization: undefined } : credentials

/** Returns a signal that is aborted when the socket has closed or another token is used; its listener on the socket ends with it. */
function closedSignal(socket: WebSocket, replaced?: AbortSignal): AbortSignal {
  const endController = new AbortController()
  const end = (): void => {
    socket.off('close', end)
    endController.abort()
  }
  if (socket.readyState === socket.CLOSED || replaced?.aborted === true) endController.abort()
  else {
    socket.once('close', end)
    replaced?.addEventListener('abort', end, { once: true })
  }
  return endController.signal
}
