import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { admit } from '../../../subgraphs/classification/intake/ingest-limits.ts'

// the fields of a request context that admit reads
const contextFrom = (address: string) => ({ principal: {}, address }) as RequestContext
const limits = { auth: 'open', perMinute: 2, loopbackUnlimited: true } as const

describe('the limit on sending expressions', () => {
  let keyValue: KeyValue
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:20Z') })
    keyValue = memoryKeyValue()
  })
  afterEach(() => void vi.useRealTimers())
  const send = (address: string, own: Partial<typeof limits> = {}) => admit(contextFrom(address), { ...limits, ...own }, keyValue)

  it('admits perMinute requests for each address, and again in the next minute', async () => {
    const standing = { name: 'expressions', quota: 2, seconds: 60, resetSeconds: 40 }
    expect(await send('203.0.113.5')).toEqual({ ...standing, remaining: 1 })
    expect(await send('203.0.113.5')).toEqual({ ...standing, remaining: 0 })
    await expect(send('203.0.113.5')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterMs: 40_000, policy: { name: 'expressions', quota: 2, seconds: 60 } },
    })
    await send('203.0.113.6')
    vi.setSystemTime(new Date('2026-01-01T00:01:00Z'))
    await send('203.0.113.5')
  })

  it.each([
    ['203.0.113.5', '::ffff:203.0.113.5', true],
    ['2001:db8::1', '2001:db8:0:0:ffff::2', true],
    ['2001:db8:0:1::1', '2001:DB8:0:1:2:3:4:5', true],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['::1:2:3', '::1:2:4', true],
  ])('counts %s and %s together: %s', async (one, other, isOne) => {
    await send(one)
    await send(one)
    await (isOne ? expect(send(other)).rejects.toMatchObject({ code: 'RATE_LIMITED' }) : send(other))
  })

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('does not limit %s in development', async (address) => {
    for (let count = 0; count < 5; count++) expect(await send(address)).toBeNull()
  })

  it.each([
    ['open', 'anonymous', true],
    ['token', 'anonymous', false],
    ['token', 'service', false],
    ['token', 'user', true],
    ['key', 'anonymous', false],
    ['key', 'service', true],
    ['key', 'user', true],
  ] as const)('with INGEST_AUTH %s and the principal %s, admits: %s', async (auth, caller, isAdmitted) => {
    const principal = caller === 'anonymous' ? {} : { [caller]: {} }
    const sent = admit({ ...contextFrom('203.0.113.5'), principal } as RequestContext, { ...limits, auth }, keyValue)
    await (isAdmitted ? sent : expect(sent).rejects.toMatchObject({ code: 'UNAUTHENTICATED' }))
  })

  it('admits while the counter is unavailable', async () => {
    keyValue = { ...keyValue, increment: () => Promise.reject(new EngineUnavailable('key-value store')) }
    for (let count = 0; count < 5; count++) expect(await send('203.0.113.5')).toBeNull()
  })
})
