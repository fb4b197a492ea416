import { io } from 'socket.io-client'

/** What somebody has said, as the realtime channel tells it. */
export interface SaidExpression {
  readonly id: string
  readonly text: string
  readonly created_at: string
  readonly lang: { readonly code: string } | null
  readonly classification: { readonly domain: { readonly id: string } | null } | null
  readonly sentiment: { readonly label: string } | null
  readonly location: { readonly lat: number; readonly lon: number; readonly place: string | null } | null
}

export interface LiveFilter {
  readonly domain?: string
  readonly sentiment?: string
  readonly lang?: string
}

export type LiveState = 'live' | 'connecting' | 'offline'

export interface LiveListener {
  state(state: LiveState): void
  expression(expression: SaidExpression): void
  /** it is no more */
  withdrawn(id: string): void
  /** the figures, the topics or the map are other ones than before; `any`: it is not known which */
  changed(what: 'figures' | 'topics' | 'map' | 'any'): void
  audience(clients: number): void
}

export interface LiveChannel {
  /** asks for what fits a filter, instead of what was asked for before */
  ask(filter: LiveFilter): void
  close(): void
}

const patienceMs = 8000
const recentExpressions = 20
const mostRemembered = 2000

/** The realtime channel (Socket.IO at /socket.realtime). A lost connection is made anew, and what was said meanwhile is told then. */
export function liveChannel(listener: LiveListener): LiveChannel {
  const socket = io({ path: '/socket.realtime', addTrailingSlash: false, transports: ['websocket', 'polling'] })
  const seen = new Set<string>()
  let filter: LiveFilter = {}
  let room: string | undefined
  let seq: number | undefined

  const subscribe = async (): Promise<void> => {
    const before = room
    // on a connection made anew, what came after the last event is asked for; at first, the newest ones
    const wish = { ...filter, ...(seq === undefined ? { recent: recentExpressions } : { after: seq }) }
    const answer = await socket
      .timeout(patienceMs)
      .emitWithAck('subscribe', wish)
      .catch(() => undefined)
    if (answer === undefined) return
    room = answer.ok ? answer.room : undefined
    if (before !== undefined && before !== room) socket.emit('unsubscribe', { room: before })
    listener.state(answer.ok ? 'live' : 'offline')
    // what has changed between the page's own reading and a first subscription was told to nobody
    if (answer.ok && before === undefined) listener.changed('any')
  }
  socket.on('connect', () => {
    room = undefined
    void subscribe()
  })
  socket.on('disconnect', () => listener.state('connecting'))
  socket.on('connect_error', () => listener.state('offline'))
  socket.on('expression:created', (event: { readonly seq: number; readonly expression: SaidExpression }) => {
    seq = Math.max(seq ?? 0, event.seq)
    if (seen.has(event.expression.id)) return
    seen.add(event.expression.id)
    const [oldest] = seen
    if (seen.size > mostRemembered && oldest !== undefined) seen.delete(oldest)
    listener.expression(event.expression)
  })
  socket.on('expression:withdrawn', (event: { readonly seq: number; readonly id: string }) => {
    seq = Math.max(seq ?? 0, event.seq)
    listener.withdrawn(event.id)
  })
  socket.on('stats:updated', () => listener.changed('figures'))
  socket.on('domains:updated', () => listener.changed('topics'))
  socket.on('map:invalidated', () => listener.changed('map'))
  socket.on('lagged', () => listener.changed('any'))
  socket.on('audience', ({ clients }: { readonly clients: number }) => listener.audience(clients))
  return {
    ask(wanted) {
      if (JSON.stringify(wanted) === JSON.stringify(filter)) return
      filter = wanted
      seq = undefined
      seen.clear()
      if (socket.connected) void subscribe()
    },
    close: () => void socket.disconnect(),
  }
}
