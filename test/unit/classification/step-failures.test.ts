import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { causeOf, stepFailures } from '../../../subgraphs/classification/analysis/step-failures.ts'

const unavailable = new EngineUnavailable('geocoder', new Error('no route to host'))

describe('a failing step', () => {
  it('reports its causes down to the first', () => {
    expect(causeOf(unavailable)).toBe('The geocoder is not available; try again: no route to host')
    expect(causeOf('a word')).toBe('a word')
    expect(causeOf(new Error('x'.repeat(2000)))).toHaveLength(500)
  })

  it('is logged with its cause, repeats only after an interval, and is always counted', async () => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const registry = new Registry()
    const time = { ms: 0 }
    const report = stepFailures(registry, log, () => time.ms)
    report('place', unavailable)
    report('place', unavailable)
    report('place', new TypeError('a bug'))
    time.ms = 10_000
    report('place', unavailable)
    expect(lines.map(({ level, step, unlogged }) => [level, step, unlogged])).toEqual([
      [40, 'place', 0],
      [50, 'place', 0],
      [40, 'place', 1],
    ])
    expect(JSON.stringify(lines[0])).toContain('no route to host')
    // the subgraph and the worker of one process share the counter
    stepFailures(registry, log)('place', unavailable)
    expect(await registry.metrics()).toContain('{step="place",code="ENGINE_UNAVAILABLE"} 4')
  })
})
