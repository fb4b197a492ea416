import type { WebSocket } from 'ws'

const closeMs = 2000

/** Closes with a code; a client that does not close too (it reads nothing, it is gone) is cut after 2 s. */
export function closeSoon(socket: WebSocket, code = 1000, reason = ''): void {
  if (socket.readyState === socket.CLOSED) return
  socket.close(code, reason)
  const cut = setTimeout(() => socket.terminate(), closeMs)
  socket.once('close', () => clearTimeout(cut))
}
