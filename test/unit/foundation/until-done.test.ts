import { describe, expect, it } from 'vitest'
import { type UntilDoneOptions, untilDone } from '../../../foundation/engine-start/until-done.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

/** Work that fails with each of these, one after another, and then is done. */
function workThatFails(...reasons: readonly Error[]) {
  const left = [...reasons]
  const told: string[] = []
  const options: UntilDoneOptions = {
    name: 'opening',
    async work() {
      const reason = left.shift()
      if (reason !== undefined) throw reason
    },
    mayPass: (error) => error instanceof EngineUnavailable,
    onWaiting: (error) => told.push(messageOf(error)),
    onDone: () => told.push('done'),
    waits: { firstMs: 1, longestMs: 4 },
  }
  return { options, told, left }
}

const away = new EngineUnavailable('database')

describe('what has to be done once', () => {
  it('is done when the start is', async () => {
    const { options, told } = workThatFails()
    const part = untilDone(options)
    expect(part.absence).toBe('not started')
    await part.start(signal())
    expect([part.absence, told]).toEqual([undefined, []])
    await part.stop()
  })

  it('is tried again after a start that found the engine away, each reason told once, whatever the later ones are', async () => {
    const { options, told } = workThatFails(away, away, new Error('wrong password'), new Error('wrong password'), away)
    const part = untilDone(options)
    await part.start(signal())
    expect(part.absence).toBe(away.message)
    await expect.poll(() => part.absence).toBeUndefined()
    expect(told).toEqual([away.message, 'wrong password', away.message, 'done'])
    await part.stop()
  })

  it('fails the start for a reason that does not pass by itself', async () => {
    const { options, told } = workThatFails(new Error('no such database'))
    await expect(untilDone(options).start(signal())).rejects.toThrow('no such database')
    expect(told).toEqual([])
  })

  it('is tried no more once it is stopped, or its start was given up', async () => {
    const { options, left } = workThatFails(...Array.from({ length: 1000 }, () => away))
    const part = untilDone(options)
    await part.start(signal())
    await part.stop()
    const rest = left.length
    const other = untilDone(options)
    await expect(other.start(AbortSignal.abort(new Error('stopped while starting')))).rejects.toThrow(away.message)
    await other.stop()
    expect(rest - left.length).toBe(1)
  })
})
