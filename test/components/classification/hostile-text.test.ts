import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { textSteps } from '../../support/samples/text-steps-worker.ts'

/** Twice the maximum length of an expression. */
const length = 20_000
/** CPU time of one text in one step; a linear step takes milliseconds, a quadratic one many seconds. */
const maxMs = 2_000

interface Cost {
  readonly kind: string
  readonly ms: number
}

describe('steps that read untrusted texts', () => {
  it.each(Object.keys(textSteps))('run in time linear in the text length: %s', { timeout: 120_000 }, async (step) => {
    const worker = new Worker(new URL('../../support/samples/text-steps-worker.ts', import.meta.url), { workerData: { step, length } })
    const costs: Cost[] = []
    worker.on('message', (cost: Cost) => costs.push(cost))
    // a backtracking step does not end: the test ends its thread
    const timer = setTimeout(() => void worker.terminate(), 110_000)
    await once(worker, 'exit')
    clearTimeout(timer)
    expect(costs.length, `hangs after ${JSON.stringify(costs.at(-1)?.kind)}`).toBeGreaterThan(100)
    expect(costs.filter(({ ms }) => ms > maxMs)).toEqual([])
  })
})
