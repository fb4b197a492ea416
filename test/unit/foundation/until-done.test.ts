import { describe, expect, it } from 'vitest'
import { type RetryUntilDoneOptions, retryUntilDone } from '../../../foundation/engine-start/retry-until-done.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

/** Returns work that fails with each of these reasons in turn, and then succeeds. */
function workThatFails(...reasons: readonly Error[]) {
  const remaining = [...reasons]
  const reports: string[] = []
  const options: RetryUntilDoneOptions = {
    name: 'opening',
    async work() {
      const reason = remaining.shift()
      if (reason !== undefined) throw reason
    },
    isTransient: (error) => error instanceof EngineUnavailable,
    onWaiting: (error) => reports.push(messageOf(error)),
    onDone: () => reports.push('done'),
    waits: { firstMs: 1, maxMs: 4 },
  }
  return { options, reports, remaining }
}

const unavailable = new EngineUnavailable('database')

describe('work that must be done once', () => {
  it('succeeds during the start', async () => {
    const { options, reports } = workThatFails()
    const part = retryUntilDone(options)
    expect(part.absence).toBe('not started')
    await part.start(signal())
    expect([part.absence, reports]).toEqual([undefined, []])
    await part.stop()
  })

  it('is retried after a start during which the engine is unavailable, and reports each change of the reason once', async () => {
    const { options, reports } = workThatFails(
      unavailable,
      unavailable,
      new Error('wrong password'),
      new Error('wrong password'),
      unavailable,
    )
    const part = retryUntilDone(options)
    await part.start(signal())
    expect(part.absence).toBe(unavailable.message)
    await expect.poll(() => part.absence).toBeUndefined()
    expect(reports).toEqual([unavailable.message, 'wrong password', unavailable.message, 'done'])
    await part.stop()
  })

  it('fails the start for a permanent reason', async () => {
    const { options, reports } = workThatFails(new Error('no such database'))
    await expect(retryUntilDone(options).start(signal())).rejects.toThrow('no such database')
    expect(reports).toEqual([])
  })

  it('is not retried after it is stopped or its start is aborted', async () => {
    const { options, remaining } = workThatFails(...Array.from({ length: 1000 }, () => unavailable))
    const part = retryUntilDone(options)
    await part.start(signal())
    await part.stop()
    const rest = remaining.length
    const other = retryUntilDone(options)
    await expect(other.start(AbortSignal.abort(new Error('stopped while starting')))).rejects.toThrow(unavailable.message)
    await other.stop()
    expect(rest - remaining.length).toBe(1)
  })
})
