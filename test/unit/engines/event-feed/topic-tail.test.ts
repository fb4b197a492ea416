import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { TopicTail } from '../../../../engines/event-feed/topic-tail.ts'
import type { Database } from '../../../../engines/relational/database.ts'

it('reads the table for two followers at a time, so that followers of many positions leave connections to other requests', async () => {
  let [running, most, reads] = [0, 0, 0]
  const execute = async () => {
    most = Math.max(most, ++running)
    await sleep(2)
    running--
    reads++
    return { rows: [] }
  }
  const errors: unknown[] = []
  const tail = new TopicTail({ orm: { execute } } as unknown as Database, 'topic', 60_000, (error) => errors.push(error))
  const left = new AbortController()
  const first = async (after: number, signal: AbortSignal) => {
    for await (const event of tail.follow(after, signal)) return event.type
    return undefined
  }
  const leaving = Array.from({ length: 5 }, (_, index) => first(100 + index, left.signal))
  const followers = Array.from({ length: 20 }, (_, index) => first(index + 1, new AbortController().signal))
  left.abort()
  expect(new Set(await Promise.all(followers))).toEqual(new Set(['lagged']))
  expect(new Set(await Promise.all(leaving))).toEqual(new Set([undefined]))
  expect(most).toBe(2)
  expect(reads).toBeLessThanOrEqual(22)
  expect(errors).toEqual([])
})
