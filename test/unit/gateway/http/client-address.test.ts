import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../../gateway/http/client-address.ts'

/** A request that a proxy at 10.0.0.1 handed on, or that came straight from there. */
const from = (...forwarded: readonly string[]): Parameters<typeof clientAddress>[0] => ({
  socket: { remoteAddress: '10.0.0.1' } as Parameters<typeof clientAddress>[0]['socket'],
  headers: forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded.join(', ') },
})

describe('the address of a client', () => {
  it.each([
    ['is the other end of the connection', 0, [], '10.0.0.1'],
    ['does not come from a header unless proxies are trusted', 0, ['203.0.113.7'], '10.0.0.1'],
    ['is what one trusted proxy saw', 1, ['203.0.113.7'], '203.0.113.7'],
    ['is not what the client claimed before the proxy', 1, ['198.51.100.1', '203.0.113.7'], '203.0.113.7'],
    ['is what the outermost of two trusted proxies saw', 2, ['198.51.100.1', '203.0.113.7', '10.0.0.2'], '203.0.113.7'],
    ['is the other end when fewer proxies wrote than are trusted', 2, ['203.0.113.7'], '10.0.0.1'],
    ['is the other end when a trusted proxy wrote nothing', 1, [], '10.0.0.1'],
    ['is the other end when the entry is empty', 1, [''], '10.0.0.1'],
    ['is of bounded length', 1, ['x'.repeat(1000)], 'x'.repeat(64)],
  ] as const)('%s', (_, trusted, forwarded, expected) => {
    expect(clientAddress(from(...forwarded), trusted)).toBe(expected)
  })
})
