import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { causeOf, stepFailures } from '../../../subgraphs/classification/analysis/step-failures.ts'

const away = new EngineUnavailable('geocoder', new Error('no route to host'))

describe('a step that fails', () => {
  it('says of what, down to the first cause', () => {
    expect(causeOf(away)).toBe('The geocoder is not available; try again: no route to host')
    expect(causeOf('a word')).toBe('a word')
    expect(causeOf(new Error('x'.repeat(2000)))).toHaveLength(500)
  })

  it('is logged with its cause, the same again only after a while, and always counted', async () => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const registry = new Registry()
    const time = { ms: 0 }
    const tell = stepFailures(registry, log, () => time.ms)
    tell('place', away)
    tell('place', away)
    tell('place', new TypeError('a bug'))
    time.ms = 10_000
    tell('place', away)
    expect(lines.map(({ level, step, unlogged }) => [level, step, unlogged])).toEqual([
      [40, 'place', 0],
      [50, 'place', 0],
      [40, 'place', 1],
    ])
    expect(JSON.stringify(lines[0])).toContain('no route to host')
    // the subgraph and the worker of one process count together
    stepFailures(registry, log)('place', away)
    expect(await registry.metrics()).toContain('{step="place",code="ENGINE_UNAVAILABLE"} 4')
  })
})
