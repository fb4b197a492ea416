import type { WebSocket } from 'ws'
import type { ClientBacklog } from '../../../foundation/http/backlog.ts'
import type { Subscriber } from '../../pipeline/subscriptions/subscriber.ts'

/** Limits of unread data per client, over all its subscriptions. */
export interface DeliveryLimits {
  /** bytes above which the sender waits, unless that delays other subscribers */
  readonly highWaterBytes: number
  /** bytes above which the connection is closed; one larger event is sent to a client that has read everything */
  readonly maxBytes: number
  /** maximum time above `highWaterBytes`, ms */
  readonly readTimeoutMs: number
}

/** A client connection with its unread data. */
interface Connection {
  readonly socket: WebSocket
  readonly backlog: ClientBacklog
}

/** A subscription of a client: events go directly to the socket; graphql-ws is notified only of its end. */
export interface SocketDelivery extends Subscriber {
  readonly stream: AsyncIterableIterator<never>
  /** Ends it without a message; the client reconnects when its connection closes. */
  interrupt(): void
}

/**
 * Writes event frames directly, since their payload is serialised once for all subscribers. @param onEnd - called once, when nothing more will be
 * delivered
 * @param onSlow - called for a client that does not read
 */
export function socketDelivery(
  { socket, backlog }: Connection,
  id: string,
  limits: DeliveryLimits,
  onEnd: () => void,
  onSlow: () => void,
): SocketDelivery {
  const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`
  // graphql-ws registers the subscription only when it requests the first event; the client may have completed it before.
  let early: string[] | undefined = []
  let isOver = false
  let isInterrupted = false
  let wake: (() => void) | undefined

  const end = (last?: string): void => {
    if (!isOver) {
      if (last !== undefined) void deliver(last)
      isOver = true
      onEnd()
    }
    wake?.()
  }
  const deliver = (event: string): Promise<void> | undefined => {
    if (isOver) return undefined
    if (early === undefined) return write(event)
    early.push(event)
    return undefined
  }
  const cutOff = (): void => {
    end()
    onSlow()
  }
  const write = (event: string): Promise<void> | undefined => {
    if (socket.readyState !== socket.OPEN) return void end()
    if (socket.bufferedAmount > 0 && socket.bufferedAmount + event.length > limits.maxBytes) return void cutOff()
    if (socket.bufferedAmount <= limits.highWaterBytes) {
      socket.send(`${head}${event}}`)
      return void backlog.note()
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        cutOff()
        resolve()
      }, limits.readTimeoutMs)
      socket.send(`${head}${event}}`, () => {
        clearTimeout(timer)
        resolve()
      })
      backlog.note()
    })
  }
  const leave = async (): Promise<IteratorResult<never>> => {
    end()
    return { done: true, value: undefined }
  }

  return {
    deliver,
    end,
    interrupt() {
      if (isOver) return
      isOver = true
      isInterrupted = true
      onEnd()
    },
    stream: {
      async next() {
        for (const event of early ?? []) void write(event)
        early = undefined
        if (!isOver || isInterrupted) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        return { done: true, value: undefined }
      },
      return: leave,
      throw: leave,
      [Symbol.asyncIterator]() {
        return this
      },
    },
  }
}
