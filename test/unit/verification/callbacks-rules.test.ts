import { describe, expect, it } from 'vitest'
import { CallbackRefused, callbackUrl, mayReach } from '../../../subgraphs/verification/callbacks/callback-address.ts'
import { retryAfterMs, waitAfter } from '../../../subgraphs/verification/callbacks/retry-schedule.ts'

const production = { allowLocal: false }
const development = { allowLocal: true }

describe('the allowed addresses of callbacks', () => {
  const inside = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
    ],
    ...['224.0.0.1', '198.18.0.1', '192.0.2.1', '203.0.113.9', '240.0.0.1', '192.88.99.1'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2001::1',
      '3fff::1',
      '::7f00:1',
    ],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  ]
  it.each(inside)('exclude %s', (address) => expect(mayReach(address, production)).toBe(false))

  const outside = [
    '8.8.8.8',
    '172.32.0.1',
    '192.0.1.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]
  it.each(outside)('include %s', (address) => expect(mayReach(address, production)).toBe(true))

  it('include loopback in development, and no other private address', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) expect(mayReach(address, development)).toBe(true)
    for (const address of ['10.0.0.1', '169.254.169.254', 'fe80::1', '::ffff:192.168.0.1'])
      expect(mayReach(address, development)).toBe(false)
  })
})

describe('a callback_url', () => {
  const reasonOf = (url: string, rules = production): string => {
    try {
      return callbackUrl(url, rules).href
    } catch (error) {
      expect(error).toBeInstanceOf(CallbackRefused)
      return (error as CallbackRefused).message.split(':')[0] ?? ''
    }
  }
  it.each([
    ['', 'invalid_url'],
    ['no url', 'invalid_url'],
    ['/path', 'invalid_url'],
    ['http://example.org/hook', 'not_https'],
    ['ftp://example.org/hook', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['https://user:secret@example.org/', 'credentials_in_url'],
    ['https://127.0.0.1/', 'inside_address'],
    ['https://2130706433/', 'inside_address'],
    ['https://0x7f.1/', 'inside_address'],
    ['https://0177.0.0.1/', 'inside_address'],
    ['https://[::1]/', 'inside_address'],
    ['https://[::ffff:7f00:1]/', 'inside_address'],
    ['https://[fd00::1]:8443/x', 'inside_address'],
    ['https://169.254.169.254/latest/meta-data', 'inside_address'],
  ])('%s is refused as %s', (url, reason) => expect(reasonOf(url)).toBe(reason))

  it('with a host name is checked after the name is resolved', () => {
    expect(reasonOf('https://example.org:8443/hook?a=b')).toBe('https://example.org:8443/hook?a=b')
    expect(reasonOf('http://localhost:9/hook', development)).toBe('http://localhost:9/hook')
    expect(reasonOf('http://10.0.0.1/hook', development)).toBe('inside_address')
  })
})

describe('the attempts of a callback', () => {
  const total = (chance: number): number => {
    let sum = 0
    for (let tries = 1; ; tries++) {
      const wait = waitAfter(tries, chance)
      if (wait === undefined) return sum
      sum += wait
    }
  }
  it('are ten, over about 75 hours, with a jitter of a tenth', () => {
    expect(waitAfter(9, 0.5)).toBe(24 * 3_600_000)
    expect(waitAfter(10, 0.5)).toBeUndefined()
    expect(total(0.5) / 3_600_000).toBeCloseTo(75.6, 1)
    expect(total(0) / total(0.5)).toBeCloseTo(0.9)
    expect(total(1) / total(0.5)).toBeCloseTo(1.1)
  })
  it('wait as long as Retry-After states, up to a day, and never less than planned', () => {
    expect(waitAfter(1, 0.5, 60_000)).toBe(60_000)
    expect(waitAfter(4, 0.5, 1000)).toBe(2 * 3_600_000)
    expect(waitAfter(1, 0.5, 10 ** 12)).toBe(24 * 3_600_000)
  })
  it('read Retry-After as seconds and as a date', () => {
    const now = Date.UTC(2026, 10, 21, 12)
    expect(retryAfterMs('120', now)).toBe(120_000)
    expect(retryAfterMs('Sat, 21 Nov 2026 12:05:00 GMT', now)).toBe(300_000)
    for (const invalid of [undefined, '', '0', '-5', 'soon', 'Sat, 21 Nov 2026 11:00:00 GMT'])
      expect(retryAfterMs(invalid, now)).toBeUndefined()
  })
})
