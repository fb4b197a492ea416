import { CloseCode } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { Principal } from '../subgraphs/foundation/principal.ts'
import { closeSoon } from './graphql-socket.ts'

const longestTimerMs = 2 ** 31 - 1

/** Closes a connection with 4403 when its caller's token ends: the client connects again with a fresh one. */
export function closeWhenOver(socket: WebSocket, { user }: Principal): void {
  if (user === undefined) return
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    const leftMs = user.expiresAt * 1000 - Date.now()
    if (leftMs <= 0) closeSoon(socket, CloseCode.Forbidden, 'Token expired')
    else timer = setTimeout(wait, Math.min(leftMs, longestTimerMs))
  }
  socket.once('close', () => clearTimeout(timer))
  wait()
}
