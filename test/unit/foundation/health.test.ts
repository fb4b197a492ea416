import { describe, expect, it } from 'vitest'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { examine, type HealthProbe } from '../../../foundation/health/health.ts'
import { HealthStatus, refuseStalled, statusOf } from '../../../foundation/health/health-status.ts'
import { KnownReason, Stalled } from '../../../foundation/health/stalled.ts'

const { OK, DEGRADED, DOWN } = HealthStatus

describe('the health of a component', () => {
  it.each([
    ['ok', [OK, OK], OK],
    ['degraded without what it can do without', [OK, DOWN], DEGRADED],
    ['degraded while work is waiting that no worker does', [OK, DEGRADED], DEGRADED],
    ['degraded also where what it needs is stalled', [DEGRADED, OK], DEGRADED],
    ['down without what it needs', [DOWN, OK], DOWN],
  ])('is %s', (_, [needed = OK, other = OK], overall) => {
    const checks = [
      { status: needed, essential: true },
      { status: other, essential: false },
    ]
    expect(statusOf(checks)).toBe(overall)
  })

  it('lists each service with its availability and whether its work is done', async () => {
    const probe = (name: string, check: () => Promise<void>) => ({ name, engine: 'an engine', essential: name === 'store', check })
    const { status, checks } = await examine('1.0.0', [
      probe('store', async () => undefined),
      probe('queue', async () => refuseStalled('The oldest message', 43_210)),
      probe('index', async () => Promise.reject(new Error('no answer'))),
    ])
    expect([status, ...checks.map(({ name, status: each, error }) => [name, each, error])]).toEqual([
      DEGRADED,
      ['store', OK, null],
      ['queue', DEGRADED, 'The oldest message has been waiting for 43 s'],
      ['index', DOWN, 'no answer'],
    ])
  })
})

it('checks a service once for concurrent callers', async () => {
  let calls = 0
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const probe = {
    name: 'store',
    engine: 'an engine',
    essential: true,
    check: () => {
      calls += 1
      return answer
    },
  }
  const all = Array.from({ length: 50 }, () => examine('1.0.0', [probe]))
  resolve()
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([OK]))
  expect(calls).toBe(1)
  await examine('1.0.0', [probe])
  expect(calls).toBe(2)
})

describe('waiting work', () => {
  it('is stalled after 30 s', () => {
    expect(() => refuseStalled('A row', 30_000)).not.toThrow()
    expect(() => refuseStalled('A row', 30_001)).toThrow(Stalled)
  })
})

it('a check that fails with the database of another engine is degraded, with the reason that an operator needs', async () => {
  const cause = new KnownReason('PostgreSQL has no free connection (max_connections)')
  const failing = (engine: string): HealthProbe => ({
    name: 'message_broker',
    engine,
    essential: false,
    check: async () => {
      throw new EngineUnavailable('database', cause)
    },
  })
  const { checks } = await examine('1.0.0', [failing('redis'), failing('bullmq on postgresql')])
  expect(checks.map(({ status, error }) => [status, error])).toEqual([
    ['degraded', 'It could not be checked: PostgreSQL has no free connection (max_connections)'],
    ['down', 'PostgreSQL has no free connection (max_connections)'],
  ])
})
