import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../foundation/fault.ts'
import { compose, composeConcurrently, type Part, pause, periodic, startWhenReady } from '../../../foundation/lifecycle.ts'

const diary: string[] = []
const part = (name: string, failing: 'start' | 'stop' | 'never' = 'never'): Part => ({
  name,
  start: async () => {
    diary.push(`start ${name}`)
    if (failing === 'start') throw new Error(`${name} is broken`)
  },
  stop: async () => {
    diary.push(`stop ${name}`)
    if (failing === 'stop') throw new Error(`${name} hangs`)
  },
})
const never = new AbortController().signal

describe('a composed part', () => {
  it('starts in order and stops in reverse', async () => {
    diary.length = 0
    const composed = compose('whole', [part('a'), part('b'), part('c')])
    await composed.start(never)
    await composed.stop()
    expect(diary).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
  })

  it('undoes a partial start, the failed part included, and reports the reason', async () => {
    diary.length = 0
    await expect(compose('whole', [part('a'), part('b', 'start'), part('c')]).start(never)).rejects.toThrow('b is broken')
    expect(diary).toEqual(['start a', 'start b', 'stop b', 'stop a'])
  })

  it('stops every part although a stop fails, and reports every failure', async () => {
    diary.length = 0
    const composed = compose('whole', [part('a', 'stop'), part('b'), part('c', 'stop')])
    await composed.start(never)
    await expect(composed.stop()).rejects.toThrow('whole did not stop cleanly: c: c hangs; a: a hangs')
    expect(diary.slice(3)).toEqual(['stop c', 'stop b', 'stop a'])
  })

  it('starts no further part after the start is aborted', async () => {
    diary.length = 0
    const aborter = new AbortController()
    const quits: Part = { name: 'quits', start: async () => aborter.abort(new Error('enough')), stop: async () => undefined }
    await expect(compose('whole', [quits, part('late')]).start(aborter.signal)).rejects.toThrow('enough')
    expect(diary).toEqual([])
  })
})

describe('a part that waits for a condition', () => {
  it('starts when the condition holds, without delaying other parts, and stops in order', async () => {
    diary.length = 0
    const ready = Promise.withResolvers<void>()
    const waiting = startWhenReady(
      () => ready.promise,
      part('a'),
      () => undefined,
    )
    const composed = compose('whole', [waiting, part('b')])
    await composed.start(never)
    ready.resolve()
    await pause(1)
    await composed.stop()
    expect(diary).toEqual(['start b', 'start a', 'stop b', 'stop a'])
  })

  it('does not start when the condition fails, or holds after the stop', async () => {
    diary.length = 0
    const reasons: unknown[] = []
    const absent = startWhenReady(
      () => Promise.reject('absent'),
      part('a'),
      (reason) => reasons.push(reason),
    )
    const ready = Promise.withResolvers<void>()
    const late = startWhenReady(
      () => ready.promise,
      part('b'),
      (reason) => reasons.push(reason),
    )
    const composed = compose('whole', [absent, late])
    await composed.start(never)
    await pause(1)
    await composed.stop()
    ready.resolve()
    await pause(1)
    expect([diary, reasons]).toEqual([[], ['absent']])
  })
})

describe('concurrent parts', () => {
  it('start in order and stop at the same time, whatever fails', async () => {
    diary.length = 0
    const gate = Promise.withResolvers<void>()
    const patient: Part = { ...part('patient'), stop: () => gate.promise }
    const composed = composeConcurrently('whole', [part('a', 'stop'), patient, part('b')])
    await composed.start(never)
    const stopped = composed.stop()
    await expect.poll(() => diary).toEqual(['start a', 'start patient', 'start b', 'stop a', 'stop b'])
    gate.resolve()
    await expect(stopped).rejects.toThrow('whole did not stop cleanly: a: a hangs')
  })
})

describe('periodic work', () => {
  it('continues after a failing run, and ends when stopped', async () => {
    let runs = 0
    const errors: unknown[] = []
    const work = periodic(
      'work',
      5,
      async () => {
        runs++
        if (runs === 1) throw new Error('once')
      },
      (error) => errors.push(error),
    )
    await work.start(never)
    while (runs < 3) await pause(5)
    await work.stop()
    const finishedRuns = runs
    await pause(30)
    expect(runs).toBe(finishedRuns)
    expect(errors).toEqual([new Error('once')])
  })

  it('reports a reason of failure once, a different reason again, and its recovery once', async () => {
    const outcomes = ['away', 'away', 'refused', 'refused', 'works', 'works', 'away', 'works']
    const reports: string[] = []
    const done = Promise.withResolvers<void>()
    const work = periodic(
      'work',
      1,
      async () => {
        const outcome = outcomes.shift()
        if (outcome === undefined) done.resolve()
        else if (outcome !== 'works') throw new Error(outcome)
      },
      (error) => reports.push(messageOf(error)),
      () => reports.push('works again'),
    )
    await work.start(never)
    await done.promise
    await work.stop()
    expect(reports).toEqual(['away', 'refused', 'works again', 'away', 'works again'])
  })
})
