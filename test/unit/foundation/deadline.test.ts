import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { combinedWindow, Deadline } from '../../../foundation/concurrency/deadline.ts'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { DeadlineExceeded, EngineUnavailable, OutcomeUnknown } from '../../../foundation/fault.ts'

/** Returns work that ends when the test resolves it. */
const work = () => Promise.withResolvers<string>()
const reasonOf = ({ signal }: Deadline): unknown => (signal.aborted ? signal.reason : undefined)

describe('the deadline of a request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts from the arrival of the request, and starts no commit after it has passed', async () => {
    vi.advanceTimersByTime(400)
    const deadline = new Deadline({ startedAt: performance.now() - 400, timeoutMs: 1000 })
    expect(deadline.remainingMs).toBe(600)
    expect(await deadline.commit(async () => 'kept')).toBe('kept')
    const late = new Deadline({ timeoutMs: 1000 })
    vi.advanceTimersByTime(1000)
    expect(reasonOf(late)).toBeInstanceOf(DeadlineExceeded)
    const started: string[] = []
    await expect(late.commit(async () => started.push('late'))).rejects.toThrow(DeadlineExceeded)
    expect(started).toEqual([])
  })

  it('waits for a commit that started in time, and does not expire when the commit succeeds', async () => {
    const deadline = new Deadline({ timeoutMs: 1000, graceMs: 500 })
    const committing = work()
    const committed = deadline.commit(() => committing.promise)
    vi.advanceTimersByTime(1400)
    expect(reasonOf(deadline)).toBeUndefined()
    committing.resolve('kept')
    expect(await committed).toBe('kept')
    expect(deadline.mayHaveTakenEffect).toBe(true)
    vi.advanceTimersByTime(100)
    expect(reasonOf(deadline)).toBeInstanceOf(OutcomeUnknown)
  })

  it('expires as soon as such a commit has failed', async () => {
    const deadline = new Deadline({ timeoutMs: 1000, graceMs: 500 })
    const committing = work()
    const committed = deadline.commit(() => committing.promise)
    vi.advanceTimersByTime(1200)
    committing.reject(new EngineUnavailable('database'))
    await expect(committed).rejects.toThrow(EngineUnavailable)
    expect(deadline.mayHaveTakenEffect).toBe(false)
    expect(reasonOf(deadline)).toBeInstanceOf(DeadlineExceeded)
  })

  it('reports an unknown outcome when the commit does not finish in time', async () => {
    const deadline = new Deadline({ timeoutMs: 1000, graceMs: 500 })
    void deadline.commit(() => work().promise)
    vi.advanceTimersByTime(1500)
    expect(reasonOf(deadline)).toBeInstanceOf(OutcomeUnknown)
  })

  it('expires at once when the client disconnects, and never without a time limit', () => {
    const disconnected = new AbortController()
    const deadline = new Deadline({ timeoutMs: Number.POSITIVE_INFINITY, disconnected: disconnected.signal })
    vi.advanceTimersByTime(1e9)
    expect(deadline.remainingMs).toBe(Number.POSITIVE_INFINITY)
    disconnected.abort()
    expect(reasonOf(deadline)).toMatchObject({ code: 'DEADLINE_EXCEEDED', message: 'The client closed the connection' })
  })

  it('of several waiting for one commit is the shortest; none of them expires before the outcome is known', async () => {
    const [short, long] = [1000, 5000].map((timeoutMs) => new Deadline({ timeoutMs })) as [Deadline, Deadline]
    const window = combinedWindow([long, short])
    expect(window.remainingMs).toBe(1000)
    const committing = work()
    const committed = window.commit(() => committing.promise)
    vi.advanceTimersByTime(1000)
    expect(reasonOf(short)).toBeUndefined()
    committing.resolve('kept')
    expect(await committed).toBe('kept')
    expect([short.mayHaveTakenEffect, long.mayHaveTakenEffect]).toEqual([true, true])
    await expect(window.commit(async () => 'more')).rejects.toThrow(DeadlineExceeded)
  })

  it('excludes an item whose deadline has passed from its write, and writes the others', async () => {
    const written: string[] = []
    const first = work()
    const writes = new GroupCommit<string>({
      maxWeight: 10,
      write: async (items) => {
        await (items.includes('first') ? first.promise : undefined)
        written.push(...items)
      },
    })
    const before = writes.add(['first'])
    const late = writes.add(['late'], new Deadline({ timeoutMs: 1000 }))
    const inTime = writes.add(['in time'], new Deadline({ timeoutMs: 2000 }))
    vi.advanceTimersByTime(1500)
    expect(writes.oldestWaitMs).toBe(1500)
    first.resolve('')
    await expect(late).rejects.toThrow(DeadlineExceeded)
    await Promise.all([before, inTime])
    expect(written).toEqual(['first', 'in time'])
    expect(writes.oldestWaitMs).toBe(0)
  })
})
