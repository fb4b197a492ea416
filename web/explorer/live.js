/** The live channel: Socket.IO at /socket.realtime. Survives a lost connection without losing what was said meanwhile. */
import { io } from '/pages/vendor/socket.io/socket.io.esm.min.js'

/**
 * @param {{ state: (state: 'live' | 'connecting' | 'offline') => void, expression: (event: object) => void, stats: () => void,
 *   domains: () => void, map: (tiles: object[]) => void, audience: (count: number) => void }} to
 * @returns a function that asks for what fits a filter, instead of what was asked for before
 */
export function followLive(to) {
  const socket = io({ path: '/socket.realtime', addTrailingSlash: false, transports: ['websocket', 'polling'] })
  let filter = {}
  let room
  let seq
  const seen = new Set()
  const readAll = () => {
    to.stats()
    to.domains()
    to.map([])
  }

  const subscribe = async () => {
    const before = room
    // On a connection made anew, what came after the last event is asked for; at first, the newest ones.
    const wish = { ...filter, ...(seq === undefined ? { recent: 20 } : { after: seq }) }
    const answer = await socket
      .timeout(8000)
      .emitWithAck('subscribe', wish)
      .catch(() => undefined)
    if (answer === undefined) return
    room = answer.ok ? answer.room : undefined
    if (before !== undefined && before !== room) socket.emit('unsubscribe', { room: before })
    to.state(answer.ok ? 'live' : 'offline')
    // what has changed between the page's own reading and a first subscription was told to nobody
    if (answer.ok && before === undefined) readAll()
  }
  socket.on('connect', () => {
    room = undefined
    void subscribe()
  })
  socket.on('disconnect', () => to.state('connecting'))
  socket.on('connect_error', () => to.state('offline'))
  socket.on('expression:created', (event) => {
    seq = Math.max(seq ?? 0, event.seq)
    if (seen.has(event.expression.id)) return
    seen.add(event.expression.id)
    if (seen.size > 2000) seen.delete(seen.values().next().value)
    to.expression(event.expression)
  })
  socket.on('stats:updated', () => to.stats())
  socket.on('domains:updated', () => to.domains())
  socket.on('map:invalidated', ({ tiles }) => to.map(tiles))
  socket.on('lagged', readAll)
  socket.on('audience', ({ clients }) => to.audience(clients))
  to.state('connecting')
  return (wanted) => {
    if (JSON.stringify(wanted) === JSON.stringify(filter)) return
    filter = wanted
    seq = undefined
    seen.clear()
    if (socket.connected) void subscribe()
  }
}
