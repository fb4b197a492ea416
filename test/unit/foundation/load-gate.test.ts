import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadGate } from '../../../foundation/concurrency/load-gate.ts'
import { Overloaded } from '../../../foundation/fault.ts'

describe('the load gate', () => {
  let gate: LoadGate
  let waitMs = 0
  beforeEach(async () => {
    vi.useFakeTimers()
    waitMs = 0
    gate = new LoadGate(1000)
    gate.watch(() => waitMs)
    await gate.start()
  })
  afterEach(async () => {
    await gate.stop()
    vi.useRealTimers()
  })
  const refused = () =>
    (['read', 'write'] as const).filter((kind) => {
      try {
        gate.forProtocol('rest').admit(kind)
        return false
      } catch (error) {
        expect(error).toBeInstanceOf(Overloaded)
        expect((error as Overloaded).details.retryAfterMs).toBeGreaterThanOrEqual(1000)
        return true
      }
    })

  it('admits all requests while no work waits long, or work waits long for a moment', () => {
    vi.advanceTimersByTime(10_000)
    expect(refused()).toEqual([])
    waitMs = 5000
    vi.advanceTimersByTime(400)
    expect(refused()).toEqual([])
    waitMs = 0
    vi.advanceTimersByTime(100)
    waitMs = 5000
    vi.advanceTimersByTime(400)
    expect(refused()).toEqual([])
  })

  it('refuses writes after writes waited too long for half a second, and admits them at the first scan without a wait', () => {
    waitMs = 1000
    vi.advanceTimersByTime(500)
    expect(refused()).toEqual(['write'])
    waitMs = 999
    vi.advanceTimersByTime(100)
    expect(refused()).toEqual([])
  })

  it('refuses all requests while the event loop is late repeatedly, not after one pause', () => {
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    /** scans after a delay of the event loop */
    const scan = (lateMs: number): void => {
      now += 100 + lateMs
      vi.advanceTimersByTime(100)
    }
    scan(5000)
    scan(0)
    expect(refused()).toEqual([])
    for (let times = 0; times < 5; times++) scan(1000)
    expect(refused()).toEqual(['read', 'write'])
    scan(0)
    expect(refused()).toEqual([])
    clock.mockRestore()
  })

  it('refuses nothing without a limit, and nothing after it is stopped', async () => {
    waitMs = 60_000
    const open = new LoadGate(Number.POSITIVE_INFINITY)
    open.watch(() => waitMs)
    await open.start()
    vi.advanceTimersByTime(10_000)
    expect(() => open.forProtocol('rest').admit('write')).not.toThrow()
    expect(refused()).toEqual(['write'])
    await gate.stop()
    expect(refused()).toEqual([])
  })
})
