import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../foundation/log.ts'
import { CatchUp, type ResumingClient } from '../../../rest-adapters/live/catch-up.ts'
import type { ExpressionEvent, LaggedEvent } from '../../../rest-adapters/live/feed-event.ts'
import { RecentEvents } from '../../../rest-adapters/live/recent-events.ts'

const eventOf = (seq: number): ExpressionEvent => ({ kind: 'expression', seq, id: `${seq}` })
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

/** A feed that yields all its events at once, and then waits. */
function feedOf(last: number) {
  return {
    position: async () => last,
    async *expressions(after: number, signal: AbortSignal): AsyncIterable<ExpressionEvent | LaggedEvent> {
      for (let seq = after + 1; seq <= last; seq++) yield eventOf(seq)
      while (!signal.aborted) await sleep(5)
    },
  }
}

class TestClient implements ResumingClient<ExpressionEvent> {
  readonly received: number[] = []
  hasJoined = false
  isConnected = true
  /** whether it does not read */
  isStuck = false

  isDisconnected = (): boolean => !this.isConnected
  isBehind(): boolean {
    return this.isStuck
  }
  cut(): void {
    this.isConnected = false
  }
  send({ seq }: ExpressionEvent): void {
    this.received.push(seq)
  }
  join(rest: readonly ExpressionEvent[]): void {
    for (const event of rest) this.send(event)
    this.hasJoined = true
  }
  lag(): void {}
}

const stopping = new Set<AbortController>()
afterEach(() => {
  for (const each of stopping) each.abort()
  stopping.clear()
})

function catchUpOver(stored: number, inMemory: number) {
  const stop = new AbortController()
  stopping.add(stop)
  const recent = new RecentEvents<ExpressionEvent>(Math.max(1, inMemory))
  recent.restart(stored - inMemory)
  for (let seq = stored - inMemory + 1; seq <= stored; seq++) recent.add(eventOf(seq))
  return { recent, catchUp: new CatchUp(feedOf(stored), recent, silentLog, stop.signal) }
}

describe('clients that resume', () => {
  it('receive events from memory in steps, in order, with those that come in between, and other work runs in between', async () => {
    const { recent, catchUp } = catchUpOver(2000, 2000)
    const clients = Array.from({ length: 100 }, () => new TestClient())
    for (const client of clients) catchUp.resume(client, 0)
    const atOnce = clients.reduce((sum, { received }) => sum + received.length, 0)
    expect(atOnce).toBeLessThan(5000)
    await setImmediate()
    expect(clients.some(({ hasJoined }) => hasJoined)).toBe(false)
    recent.add(eventOf(2001))
    await expect.poll(() => clients.every(({ hasJoined }) => hasJoined)).toBe(true)
    expect(clients.every(({ received }) => received.join() === upTo(2001).join())).toBe(true)
  })

  it('receive no more than they read, without delaying others', async () => {
    const { catchUp } = catchUpOver(2000, 2000)
    const [slow, fast] = [new TestClient(), new TestClient()]
    slow.isStuck = true
    catchUp.resume(slow, 0)
    catchUp.resume(fast, 0)
    await expect.poll(() => fast.hasJoined).toBe(true)
    expect(slow.received).toEqual([])
    slow.isStuck = false
    await expect.poll(() => slow.hasJoined).toBe(true)
    expect(slow.received).toEqual(upTo(2000))
  })

  it('are disconnected if they do not read what is read for them from the feed; others continue', async () => {
    const { catchUp } = catchUpOver(100, 10)
    const [slow, fast] = [new TestClient(), new TestClient()]
    slow.isStuck = true
    catchUp.resume(slow, 0)
    catchUp.resume(fast, 0)
    await expect.poll(() => fast.hasJoined, { timeout: 10_000 }).toBe(true)
    expect(fast.received).toEqual(upTo(100))
    expect([slow.isConnected, slow.received.length]).toEqual([false, 1])
  })

  it('are forgotten when they resume again, so that abandoned positions delay no one', async () => {
    const { catchUp } = catchUpOver(100, 0)
    const abandoned = Array.from({ length: 200_000 }, () => new TestClient())
    for (const client of abandoned) catchUp.resume(client, 0)
    for (const client of abandoned) client.isConnected = false
    const client = new TestClient()
    catchUp.resume(client, 50)
    await expect.poll(() => client.received.length).toBe(50)
    expect(abandoned.every(({ received }) => received.length === 0)).toBe(true)
  })
})
