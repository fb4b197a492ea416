import type { WebSocket } from 'ws'
import type { ClientBacklog } from '../http/backlog.ts'
import type { Subscriber } from '../subscriptions/subscriber.ts'

/** How much may wait to be read by one client, over all its subscriptions. */
export interface DeliveryLimits {
  /** bytes from which on it is waited for, where that holds up nobody else */
  readonly highWaterBytes: number
  /** bytes beyond which it is closed at once */
  readonly maxBytes: number
  /** how long it may stay above `highWaterBytes` */
  readonly readTimeoutMs: number
}

/** The connection of a client, and what it is behind with. */
interface Connection {
  readonly socket: WebSocket
  readonly backlog: ClientBacklog
}

/** One subscription of a client: its events go to the socket as they come; graphql-ws only learns when it is over. */
export interface SocketDelivery extends Subscriber {
  readonly stream: AsyncIterableIterator<never>
  /** Ends it without a word to the client, which connects again when its connection closes. */
  interrupt(): void
}

/**
 * Writes the frames of a subscription's events itself, because their payload is serialised once for all who share it.
 * @param left - called once, when there is nothing more to deliver  @param slow - called for a client that does not read
 */
export function socketDelivery(
  { socket, backlog }: Connection,
  id: string,
  limits: DeliveryLimits,
  left: () => void,
  slow: () => void,
): SocketDelivery {
  const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`
  // Until graphql-ws asks for the first event it has not yet noted the subscription, which the client may have completed meanwhile.
  let early: string[] | undefined = []
  let over = false
  let isInterrupted = false
  let wake: (() => void) | undefined

  const end = (last?: string): void => {
    if (!over) {
      if (last !== undefined) void deliver(last)
      over = true
      left()
    }
    wake?.()
  }
  const deliver = (event: string): Promise<void> | undefined => {
    if (over) return undefined
    if (early === undefined) return write(event)
    early.push(event)
    return undefined
  }
  const giveUp = (): void => {
    end()
    slow()
  }
  const write = (event: string): Promise<void> | undefined => {
    if (socket.readyState !== socket.OPEN) return void end()
    if (socket.bufferedAmount + event.length > limits.maxBytes) return void giveUp()
    if (socket.bufferedAmount <= limits.highWaterBytes) {
      socket.send(`${head}${event}}`)
      return void backlog.note()
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        giveUp()
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
      if (over) return
      over = true
      isInterrupted = true
      left()
    },
    stream: {
      async next() {
        for (const event of early ?? []) void write(event)
        early = undefined
        if (!over || isInterrupted) {
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
