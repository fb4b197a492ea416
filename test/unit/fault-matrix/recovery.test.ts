import { describe, expect, it } from 'vitest'
import type { Answer, Kind } from '../../fault-matrix/load/kind.ts'
import { Load } from '../../fault-matrix/load/load.ts'

const kind = (name: string): Kind => ({
  name,
  everyMs: 1000,
  atOnce: 1,
  prepare: async () => undefined,
  attempt: async () => ({ status: 200 }),
  find: async () => ({ lost: [], doubled: [] }),
  [Symbol.asyncDispose]: async () => undefined,
})

describe('recovery of a load', () => {
  const load = new Load([kind('vote'), kind('job')], 'c')
  const attempt = (name: string, startedAt: number, endedAt: number, status: Answer['status']) =>
    load.attempts.push({ kind: name, startedAt, endedAt, answer: { status } })

  it('is absent until every kind has succeeded after its last failure', () => {
    attempt('vote', 90, 110, 200)
    attempt('vote', 120, 130, 200)
    attempt('job', 101, 140, 503)
    attempt('job', 105, 120, 200)
    expect(load.recoveredAt(100)).toBeUndefined()
  })

  it("is the time of the last kind's first success; a request that started earlier does not count", () => {
    attempt('job', 150, 160, 200)
    attempt('job', 170, 180, 200)
    expect(load.recoveredAt(100)).toBe(160)
  })
})
