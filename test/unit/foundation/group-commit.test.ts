import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'

describe('a group commit', () => {
  it('writes an item added right after a write has ended', async () => {
    const written: number[] = []
    const writes = new GroupCommit<number>({
      maxWeight: 10,
      write: async (items) => void written.push(...items),
    })
    for (let n = 0; n < 5; n++) await writes.add([n])
    expect(written).toEqual([0, 1, 2, 3, 4])
  })

  it('gathers items while it writes, and rejects only the items of a failed write', async () => {
    const groups: (readonly number[])[] = []
    const writes = new GroupCommit<number>({
      maxWeight: 3,
      gatherMs: 5,
      write: async (items) => {
        groups.push(items)
        if (items.includes(4)) throw new Error('no')
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => writes.add([n])))
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  })

  it('gathers before each write, not only before the first', async () => {
    const groups: (readonly number[])[] = []
    const writes = new GroupCommit<number>({
      maxWeight: 10,
      gatherMs: 200,
      write: async (items) => {
        groups.push(items)
        await sleep(20)
      },
    })
    const first = writes.add([1])
    while (groups.length === 0) await sleep(1)
    const second = writes.add([2])
    await first
    await Promise.all([second, writes.add([3])])
    expect(groups).toEqual([[1], [2, 3]])
  })

  it('writes all pending items at once when flushed', async () => {
    const groups: (readonly number[])[] = []
    const writes = new GroupCommit<number>({
      maxWeight: 2,
      gatherMs: 20_000,
      write: async (items) => {
        groups.push(items)
        await sleep(20)
        if (items.includes(3)) throw new Error('no')
      },
    })
    const added = Promise.allSettled([1, 2, 3].map((n) => writes.add([n])))
    await writes.flush()
    expect(groups).toEqual([[1, 2], [3]])
    expect((await added).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    await writes.flush()
    const last = writes.add([4])
    expect(await Promise.race([last, sleep(100, 'waits')])).toBe('waits')
    await writes.flush()
    await last
  })
})
