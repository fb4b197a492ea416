import { io } from 'socket.io-client'

/** An expression as the realtime channel sends it. */
export interface PlacedExpression {
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
  readonly q?: string
}

export type LiveState = 'live' | 'connecting' | 'offline'

export interface LiveListener {
  state(state: LiveState): void
  expression(expression: PlacedExpression): void
  /** the expression was withdrawn */
  withdrawn(id: string): void
  /** figures, topics or the map have changed; `any`: the change is not known */
  changed(what: 'figures' | 'topics' | 'map' | 'any'): void
  audience(clients: number): void
}

export interface LiveChannel {
  /** replaces the filter of the subscription */
  ask(filter: LiveFilter): void
  close(): void
}

const patienceMs = 8000
const recentExpressions = 20
const maxRemembered = 2000

/**
 * Connects to the realtime channel (Socket.IO at /socket.realtime). It reconnects by itself and then receives the expressions of the time
 * in between.
 */
export function liveChannel(listener: LiveListener): LiveChannel {
  const socket = io({ path: '/socket.realtime', addTrailingSlash: false, transports: ['websocket', 'polling'] })
  const seen = new Set<string>()
  let filter: LiveFilter = {}
  let joined: { readonly room: string; readonly filter: LiveFilter } | undefined
  let seq: number | undefined
  /** events may still match an earlier filter */
  let isFormer = false
  /** nothing was subscribed over this connection */
  let isNew = true
  let turn: Promise<void> = Promise.resolve()

  const request = (event: string, content: object) =>
    socket
      .timeout(patienceMs)
      .emitWithAck(event, content)
      .catch(() => undefined)

  const subscribe = async (): Promise<void> => {
    const [before, wanted] = [joined, filter]
    if (before?.filter === wanted) return
    joined = undefined
    if (before !== undefined) await request('unsubscribe', { room: before.room })
    // a later filter has its own turn
    if (wanted !== filter) return
    isFormer = false
    // a new connection requests the events after the last one; the first requests the latest events
    const answer = await request('subscribe', { ...wanted, ...(seq === undefined ? { recent: recentExpressions } : { after: seq }) })
    if (answer === undefined) return
    joined = answer.ok ? { room: answer.room, filter: wanted } : undefined
    listener.state(answer.ok ? 'live' : 'offline')
    if (!answer.ok || !isNew) return
    isNew = false
    // no event reports changes between the page's first read and its first subscription
    listener.changed('any')
  }
  const subscribeInTurn = (): void => {
    turn = turn.then(subscribe)
  }
  socket.on('connect', () => {
    joined = undefined
    isNew = true
    subscribeInTurn()
  })
  socket.on('disconnect', () => listener.state('connecting'))
  socket.on('connect_error', () => listener.state('offline'))
  socket.on('expression:created', (event: { readonly seq: number; readonly expression: PlacedExpression }) => {
    if (isFormer) return
    seq = Math.max(seq ?? 0, event.seq)
    if (seen.has(event.expression.id)) return
    seen.add(event.expression.id)
    const [oldest] = seen
    if (seen.size > maxRemembered && oldest !== undefined) seen.delete(oldest)
    listener.expression(event.expression)
  })
  socket.on('expression:withdrawn', (event: { readonly seq: number; readonly id: string }) => {
    seq = Math.max(seq ?? 0, event.seq)
    // its withdrawal can be undone
    seen.delete(event.id)
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
      isFormer = true
      if (socket.connected) subscribeInTurn()
    },
    close: () => void socket.disconnect(),
  }
}
