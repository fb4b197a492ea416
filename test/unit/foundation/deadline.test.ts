import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline, together } from '../../../foundation/concurrency/deadline.ts'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { DeadlineExceeded, EngineUnavailable, OutcomeUnknown } from '../../../foundation/fault.ts'

/** Something that ends when it is told to. */
const work = () => Promise.withResolvers<string>()
const reasonOf = ({ signal }: Deadline): unknown => (signal.aborted ? signal.reason : undefined)

describe('the deadline of a request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts what has passed since the request came, and lets nothing begin to become durable once it is over', async () => {
    vi.advanceTimersByTime(400)
    const deadline = new Deadline({ startedAt: performance.now() - 400, timeoutMs: 1000 })
    expect(deadline.remainingMs).toBe(600)
    expect(await deadline.commit(async () => 'kept')).toBe('kept')
    const late = new Deadline({ timeoutMs: 1000 })
    vi.advanceTimersByTime(1000)
    expect(reasonOf(late)).toBeInstanceOf(DeadlineExceeded)
    const begun: string[] = []
    await expect(late.commit(async () => begun.push('late'))).rejects.toThrow(DeadlineExceeded)
    expect(begun).toEqual([])
  })

  it('waits for the outcome of a commit that began in time, and is never said to be over when it succeeded', async () => {
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

  it('is over as soon as such a commit is known to have failed', async () => {
    const deadline = new Deadline({ timeoutMs: 1000, graceMs: 500 })
    const committing = work()
    const committed = deadline.commit(() => committing.promise)
    vi.advanceTimersByTime(1200)
    committing.reject(new EngineUnavailable('database'))
    await expect(committed).rejects.toThrow(EngineUnavailable)
    expect(deadline.mayHaveTakenEffect).toBe(false)
    expect(reasonOf(deadline)).toBeInstanceOf(DeadlineExceeded)
  })

  it('says that the outcome is unknown when it does not come in time', async () => {
    const deadline = new Deadline({ timeoutMs: 1000, graceMs: 500 })
    void deadline.commit(() => work().promise)
    vi.advanceTimersByTime(1500)
    expect(reasonOf(deadline)).toBeInstanceOf(OutcomeUnknown)
  })

  it('ends at once when the client goes, and has no end without a time', () => {
    const gone = new AbortController()
    const deadline = new Deadline({ timeoutMs: Number.POSITIVE_INFINITY, clientGone: gone.signal })
    vi.advanceTimersByTime(1e9)
    expect(deadline.remainingMs).toBe(Number.POSITIVE_INFINITY)
    gone.abort()
    expect(reasonOf(deadline)).toMatchObject({ code: 'DEADLINE_EXCEEDED', message: 'The client closed the connection' })
  })

  it('of several that wait for one commit is the shortest; none of them is over before its outcome is known', async () => {
    const [short, long] = [1000, 5000].map((timeoutMs) => new Deadline({ timeoutMs })) as [Deadline, Deadline]
    const window = together([long, short])
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

  it('keeps what waits too long for its write from being written, and the others not', async () => {
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
