import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../fault-matrix/run-cell.ts'
import { type Cell, selectionOf } from '../../fault-matrix/selection.ts'
import { merged, missingIn, rowOf, rowsIn, sumsOf, tableOf } from '../../fault-matrix/table.ts'

const outcome = (cell: Cell, more: Partial<Outcome> = {}): Outcome => ({
  cell,
  at: new Date('2026-11-22T18:04:21Z'),
  load: 3.9,
  acknowledged: 81,
  lost: [],
  doubled: [],
  refused: 0,
  unknown: 0,
  noConnection: 0,
  silent: 0,
  cutOff: 0,
  wrong: [],
  recoveredMs: 8000,
  health: 'ok',
  ...more,
})
const redis = { subject: 'redis', fault: 'kill', round: 1 } as const
const gateway = { subject: 'gateway', fault: 'term', round: 1 } as const

describe('the table of faults', () => {
  const first = [
    rowOf(outcome(gateway, { noConnection: 3 })),
    rowOf(outcome(redis, { refused: 12, wrong: ['401 to a login', '401 to a login'] })),
  ]

  it('parses back from its printed form', () => {
    expect(rowsIn(`Written by a program.\n\n${tableOf(first)}\n`)).toEqual(first)
  })

  it('merges a later run: the same fault and round is replaced, another round is added, in the order of the matrix', () => {
    const again = rowOf(outcome(redis, { acknowledged: 90 }))
    const second = rowOf(outcome({ ...redis, round: 2 }))
    expect(merged(first, [second, again])).toEqual([again, first[0], second])
  })

  it('lists what has no row yet: whole subjects, or the missing faults of one', () => {
    const { cells } = selectionOf(['--only', 'redis,gateway', '--faults', 'kill,term', '--rounds', '2'])
    expect(missingIn(first, cells)).toBe('Not run yet, of round 1: gateway (kill -9); of round 2: redis; gateway.')
    expect(missingIn(first, [redis, gateway])).toBeUndefined()
  })

  it('is summarised over all of its rows', () => {
    const later = outcome(
      { ...redis, round: 2 },
      { at: new Date('2026-11-23T00:31:00Z'), lost: ['job 1'], refused: 3, recoveredMs: undefined },
    )
    expect(sumsOf([...first, rowOf(later)])).toEqual({
      days: ['2026-11-22', '2026-11-23'],
      acknowledged: 243,
      lost: 1,
      doubled: 0,
      refused: 15,
      otherwise: 2,
    })
  })
})
