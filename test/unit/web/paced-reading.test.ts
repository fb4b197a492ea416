import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PacedReading, paceMs } from '../../../web/shared/graph/paced-reading.ts'

/** The visibility of a page. */
class TestPage extends EventTarget {
  hidden = false

  show(isVisible: boolean): void {
    this.hidden = !isVisible
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** @param answerMs - time that each read takes */
function reading(answerMs = 50) {
  const page = new TestPage()
  const started: number[] = []
  const answers: number[] = []
  const cancelled: number[] = []
  let failures = 0
  let isFailing = false
  const paced = new PacedReading<number>(
    {
      async read(signal) {
        const index = started.push(performance.now())
        signal.addEventListener('abort', () => cancelled.push(index))
        await new Promise((resolve) => setTimeout(resolve, answerMs))
        if (isFailing) throw new Error('unavailable')
        return index
      },
      onAnswer: (answer) => answers.push(answer),
      onFailure: () => failures++,
    },
    page,
  )
  return { page, paced, started, answers, cancelled, failures: () => failures, fail: (value: boolean) => (isFailing = value) }
}

/** @param perSecond - changes of the data */
async function change(paced: PacedReading<number>, seconds: number, perSecond = 100): Promise<void> {
  for (let index = 0; index < seconds * perSecond; index++) {
    paced.refresh()
    await vi.advanceTimersByTimeAsync(1000 / perSecond)
  }
}

describe('a reading whose data changes 100 times a second', () => {
  it.each([50, 1500, 5000])('starts at most one read in 2 s, and each ends, when a read takes %i ms', async (answerMs) => {
    const { paced, started, answers, cancelled } = reading(answerMs)
    paced.restart()
    await change(paced, 30)
    const gaps = started.slice(1).map((at, index) => at - (started[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(paceMs)
    expect(started.length).toBeGreaterThanOrEqual(answerMs > paceMs ? 5 : 14)
    expect(cancelled).toEqual([])
    // all but the running one
    expect(answers.length).toBeGreaterThanOrEqual(started.length - 1)
  })

  it('starts none while the page is hidden, and one when it is visible again', async () => {
    const { page, paced, started } = reading()
    paced.restart()
    await change(paced, 5)
    page.show(false)
    const before = started.length
    await change(paced, 20)
    expect(started.length).toBe(before)
    page.show(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(started.length).toBe(before + 1)
  })

  it('reads what changed during the last read', async () => {
    const { paced, started, answers } = reading(500)
    paced.restart()
    await vi.advanceTimersByTimeAsync(400)
    paced.refresh()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([started.length, answers]).toEqual([2, [1, 2]])
  })
})

describe('a reading', () => {
  it('cancels the running read when its question changes, and reads at once', async () => {
    const { paced, started, answers, cancelled } = reading(1000)
    paced.restart()
    await vi.advanceTimersByTimeAsync(300)
    paced.restart()
    paced.restart()
    await vi.advanceTimersByTimeAsync(3000)
    expect([started.length, cancelled, answers]).toEqual([2, [1], [2]])
    expect((started[1] ?? 0) - (started[0] ?? 0)).toBeLessThan(500)
  })

  it('is repeated after a failure, but not while the page is hidden', async () => {
    const { page, paced, started, answers, failures, fail } = reading()
    fail(true)
    paced.restart()
    await vi.advanceTimersByTimeAsync(300)
    expect(failures()).toBe(1)
    page.show(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started.length).toBe(1)
    fail(false)
    page.show(true)
    await vi.advanceTimersByTimeAsync(6000)
    expect(answers).toEqual([2])
  })

  it('that begins on a hidden page reads when the page becomes visible', async () => {
    const { page, paced, started } = reading()
    page.show(false)
    paced.restart()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(started).toEqual([])
    page.show(true)
    await vi.advanceTimersByTimeAsync(300)
    expect(started.length).toBe(1)
  })

  it('reads no more after it was closed', async () => {
    const { page, paced, started, answers } = reading()
    paced.restart()
    await vi.advanceTimersByTimeAsync(200)
    paced.close()
    page.show(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([started.length, answers]).toEqual([1, []])
  })
})
