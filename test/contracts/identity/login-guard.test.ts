import { beforeEach, describe, expect, it } from 'vitest'
import { InvalidCredentials } from '../../../engines/identity/identity-provider.ts'
import { LoginGuard } from '../../../engines/identity/login-guard.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'

const minute = 60_000
const wrong = (error: unknown): boolean => error instanceof InvalidCredentials
const clock = { at: 1_790_000_000_000, now: () => clock.at }
let guard: LoginGuard
let checked: number
beforeEach(() => {
  guard = new LoginGuard(memoryKeyValue({ clock }), clock)
  checked = 0
})

/** Returns the outcome of an attempt: in, refused, or locked with the seconds. */
async function attempt(email: string, isRight: boolean, address?: string, device?: string): Promise<string> {
  const check = async (): Promise<string> => {
    checked += 1
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (!isRight) throw new InvalidCredentials()
    return 'in'
  }
  return guard
    .watch({ email, address, device }, check, wrong)
    .catch((error: { code: string; details: { retryAfterMs?: number } }) =>
      error.code === 'RATE_LIMITED' ? `locked for ${(error.details.retryAfterMs ?? 0) / 1000} s` : 'refused',
    )
}
const several = async (times: number, email: string, isRight: boolean, address?: string, device?: string): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for (let done = 0; done < times; done++) outcomes.push(await attempt(email, isRight, address, device))
  return outcomes
}

describe('the guard of logins', () => {
  it('locks an account for 15 minutes after 5 failures, also for the right password, without further checks', async () => {
    expect(await several(5, 'ada@example.org', false)).toEqual(Array(5).fill('refused'))
    expect(await attempt('ada@example.org', true)).toBe('locked for 900 s')
    expect(checked).toBe(5)
    clock.at += 14 * minute
    expect(await attempt('ada@example.org', true)).toBe('locked for 60 s')
    clock.at += minute
    expect(await attempt('ada@example.org', true)).toBe('in')
  })

  it('treats an address in any spelling as the same account', async () => {
    await several(3, 'Ada@Example.org', false)
    await several(2, ' ada@example.ORG', false)
    expect(await attempt('ada@example.org', true)).toMatch(/^locked/)
    expect(await attempt('bob@example.org', true)).toBe('in')
  })

  it('starts over after a success, and after 5 minutes', async () => {
    await several(4, 'ada@example.org', false)
    expect(await attempt('ada@example.org', true)).toBe('in')
    await several(4, 'ada@example.org', false)
    clock.at += 5 * minute + 1
    await several(4, 'ada@example.org', false)
    expect(await attempt('ada@example.org', true)).toBe('in')
  })

  it('lets concurrent guesses test at most five passwords', async () => {
    const guesses = [...Array(99).fill(false), true] as boolean[]
    const outcomes = await Promise.all(guesses.map((isRight) => attempt('ada@example.org', isRight)))
    expect(outcomes.filter((outcome) => outcome === 'in').length).toBe(0)
    expect(outcomes.at(-1)).toMatch(/^locked/)
  })

  it('locks an address after 50 failures on any accounts, and no other address', async () => {
    for (let person = 0; person < 50; person++) expect(await attempt(`person-${person}@example.org`, false, '192.0.2.7')).toBe('refused')
    expect(await attempt('other@example.org', true, '192.0.2.7')).toBe('locked for 900 s')
    expect(await attempt('other@example.org', true, '192.0.2.8')).toBe('in')
    expect(await attempt('other@example.org', true)).toBe('in')
  })

  it('treats the addresses of one IPv6 /64 as one, and IPv4 in either notation', async () => {
    for (let person = 0; person < 50; person++)
      await attempt(`person-${person}@example.org`, false, `2001:db8:0:7:${person.toString(16)}::1`)
    expect(await attempt('other@example.org', true, '2001:db8::7:ffff:ffff:ffff:ffff')).toBe('locked for 900 s')
    expect(await attempt('other@example.org', true, '2001:0DB8:0:7::')).toBe('locked for 900 s')
    expect(await attempt('other@example.org', true, '2001:db8:0:8::1')).toBe('in')
    for (let person = 0; person < 50; person++) await attempt(`other-${person}@example.org`, false, '::ffff:192.0.2.7')
    expect(await attempt('other@example.org', true, '192.0.2.7')).toBe('locked for 900 s')
    expect(await attempt('other@example.org', true, '::ffff:192.0.2.8')).toBe('in')
    expect(await attempt('other@example.org', true, '::1')).toBe('in')
  })

  it('locks an account for the failing address only', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await several(5, 'ada@example.org', false, '192.0.2.7')).toEqual(Array(5).fill('refused'))
      expect(await attempt('ada@example.org', true, '192.0.2.7')).toBe('locked for 900 s')
      expect(await attempt('ada@example.org', true, '192.0.2.8')).toBe('in')
      expect(await attempt('bob@example.org', true, '192.0.2.7')).toBe('in')
      clock.at += 15 * minute
    }
  })

  it('slows down guesses from many addresses, for existing and unknown accounts alike, and admits the owner between them', async () => {
    const guess = (at: number) => attempt('ada@example.org', false, `198.51.100.${at}`)
    for (let at = 0; at < 20; at++) expect(await guess(at)).toBe('refused')
    let refusedInAnHour = 0
    for (let second = 0; second < 1800; second++, clock.at += 1000) if ((await guess(20 + (second % 200))) === 'refused') refusedInAnHour++
    expect(refusedInAnHour).toBeLessThan(40)
    expect(refusedInAnHour).toBeGreaterThan(5)
    clock.at += minute
    expect(await attempt('ada@example.org', true, '192.0.2.1')).toBe('in')
  })

  it('limits concurrent guesses from many addresses to the free attempts', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, at) => attempt('ada@example.org', at === 99, `198.51.100.${at}`)))
    expect(outcomes.at(-1)).toMatch(/^locked/)
    expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeLessThanOrEqual(21)
  })

  it('admits a known device while others fail, and delays it after its own failures instead of locking it', async () => {
    for (let at = 0; at < 30; at++) await several(5, 'ada@example.org', false, `198.51.100.${at}`)
    await several(5, 'ada@example.org', false, '192.0.2.1')
    expect(await attempt('ada@example.org', true, '192.0.2.1')).toMatch(/^locked/)
    expect(await attempt('ada@example.org', true, '192.0.2.1', 'laptop')).toBe('in')
    expect(await several(5, 'ada@example.org', false, '192.0.2.1', 'laptop')).toEqual(Array(5).fill('refused'))
    expect(await several(3, 'ada@example.org', false, '192.0.2.1', 'laptop')).toEqual(['refused', 'locked for 1 s', 'locked for 1 s'])
    clock.at += 1000
    expect(await several(2, 'ada@example.org', false, '192.0.2.1', 'laptop')).toEqual(['refused', 'locked for 2 s'])
    clock.at += 2000
    expect(await attempt('ada@example.org', true, '192.0.2.1', 'laptop')).toBe('in')
    expect(await attempt('bob@example.org', true, '192.0.2.2', 'laptop')).toBe('in')
  })

  it('does not count other errors than a wrong password', async () => {
    for (let tries = 0; tries < 10; tries++)
      await expect(
        guard.watch({ email: 'ada@example.org', address: undefined }, () => Promise.reject(new Error('down')), wrong),
      ).rejects.toThrow('down')
    expect(await attempt('ada@example.org', true)).toBe('in')
  })
})
