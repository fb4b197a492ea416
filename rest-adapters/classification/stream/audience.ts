import { messageOf } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { CatchUp } from '../../live/catch-up.ts'
import { RecentEvents } from '../../live/recent-events.ts'
import type { StreamClient } from './client.ts'
import type { StreamMetrics } from './metrics.ts'
import type { ExpressionSource, StreamEvent } from './source.ts'

const retryMs = 1000

/** The clients of /ws in this process and their events; they share one subscription to the source. */
export class Audience {
  readonly clients = new Set<StreamClient>()
  readonly #source: ExpressionSource
  readonly #recent: RecentEvents<StreamEvent>
  readonly #catchUp: CatchUp<StreamEvent>
  readonly #metrics: StreamMetrics
  readonly #log: Log

  /** @param retained - events in memory for resuming clients  @param signal - aborted when the channel stops */
  constructor(options: {
    readonly source: ExpressionSource
    readonly retained: number
    readonly metrics: StreamMetrics
    readonly log: Log
    readonly signal: AbortSignal
  }) {
    this.#source = options.source
    this.#recent = new RecentEvents(options.retained)
    this.#catchUp = new CatchUp(options.source, this.#recent, options.log, options.signal)
    this.#metrics = options.metrics
    this.#log = options.log
  }

  /** seq of the last event that this process received */
  get last(): number {
    return this.#recent.last
  }

  /** Adds a client, which receives matching events from now on. */
  add(client: StreamClient): void {
    this.clients.add(client)
    this.#metrics.clients(this.clients.size)
  }

  remove(client: StreamClient): void {
    this.clients.delete(client)
    this.#metrics.clients(this.clients.size)
  }

  /** Sends new events to all clients. Events without a connected client are in the source for resuming clients. */
  async follow(signal: AbortSignal, ready: () => void): Promise<void> {
    for (; !signal.aborted; await pause(retryMs, signal)) {
      try {
        const { seq } = await this.#source.state(signal)
        this.#recent.restart(seq)
        break
      } catch (error) {
        this.#log.debug({ reason: messageOf(error) }, 'the feed of the expression stream is not connected yet')
      }
    }
    ready()
    for await (const event of signal.aborted ? [] : this.#source.expressions(this.#recent.last, signal)) {
      if (event.kind === 'lagged') {
        this.#recent.restart(event.seq)
        for (const client of this.clients) if (!client.isReplaying) client.lag(event.seq)
      } else if (this.#recent.add(event)) this.#send(event)
      this.#catchUp.settleDue()
    }
  }

  #send(event: StreamEvent): void {
    let sent = 0
    for (const client of this.clients) if (client.send(event)) sent += 1
    this.#metrics.sent(sent)
  }

  /** Sends matching events after a position, then adds the client to the live audience. */
  resume(client: StreamClient, from: number): void {
    const replaySignal = client.startReplay()
    this.#catchUp.resume(
      {
        isDisconnected: () => replaySignal.aborted,
        isBehind: () => client.isBehind,
        cut: () => client.cut(),
        send: (event) => client.replay([event]),
        join: (rest) => {
          client.endReplay()
          client.replay(rest)
        },
        lag: () => {
          if (replaySignal.aborted) return
          client.endReplay()
          client.lag(this.#recent.last)
        },
      },
      from,
    )
  }
}
