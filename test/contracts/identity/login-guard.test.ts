import { beforeEach, describe, expect, it } from 'vitest'
import { InvalidCredentials } from '../../../subgraphs/engines/identity/identity-provider.ts'
import { LoginGuard } from '../../../subgraphs/engines/identity/login-guard.ts'
import { memoryKeyValue } from '../../../subgraphs/engines/key-value/memory-key-value.ts'

const minute = 60_000
const wrong = (error: unknown): boolean => error instanceof InvalidCredentials
const clock = { at: 1_790_000_000_000, now: () => clock.at }
let guard: LoginGuard
let checked: number
beforeEach(() => {
  guard = new LoginGuard(memoryKeyValue({ clock }), clock)
  checked = 0
})

/** What becomes of an attempt: in, refused, or locked for so many seconds. */
async function attempt(email: string, isRight: boolean, address?: string): Promise<string> {
  const check = async (): Promise<string> => {
    checked += 1
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (!isRight) throw new InvalidCredentials()
    return 'in'
  }
  return guard
    .watch({ email, address }, check, wrong)
    .catch((error: { code: string; details: { retryAfterMs?: number } }) =>
      error.code === 'RATE_LIMITED' ? `locked for ${(error.details.retryAfterMs ?? 0) / 1000} s` : 'refused',
    )
}
const several = async (times: number, email: string, isRight: boolean, address?: string): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for (let done = 0; done < times; done++) outcomes.push(await attempt(email, isRight, address))
  return outcomes
}

describe('the guard of logins', () => {
  it('locks an account for 15 minutes after 5 failures, also against the right password, and checks nothing meanwhile', async () => {
    expect(await several(5, 'ada@example.org', false)).toEqual(Array(5).fill('refused'))
    expect(await attempt('ada@example.org', true)).toBe('locked for 900 s')
    expect(checked).toBe(5)
    clock.at += 14 * minute
    expect(await attempt('ada@example.org', true)).toBe('locked for 60 s')
    clock.at += minute
    expect(await attempt('ada@example.org', true)).toBe('in')
  })

  it('takes an address in any spelling for the same account', async () => {
    await several(3, 'Ada@Example.org', false)
    await several(2, ' ada@example.ORG', false)
    expect(await attempt('ada@example.org', true)).toMatch(/^locked/)
    expect(await attempt('bob@example.org', true)).toBe('in')
  })

  it('begins anew after a success, and after 5 minutes', async () => {
    await several(4, 'ada@example.org', false)
    expect(await attempt('ada@example.org', true)).toBe('in')
    await several(4, 'ada@example.org', false)
    clock.at += 5 * minute + 1
    await several(4, 'ada@example.org', false)
    expect(await attempt('ada@example.org', true)).toBe('in')
  })

  it('lets guesses made side by side learn no more than five in a row', async () => {
    const guesses = [...Array(99).fill(false), true] as boolean[]
    const outcomes = await Promise.all(guesses.map((isRight) => attempt('ada@example.org', isRight)))
    expect(outcomes.filter((outcome) => outcome === 'in').length).toBe(0)
    expect(outcomes.at(-1)).toMatch(/^locked/)
  })

  it('locks an address after 50 failures of whatever accounts, and no other', async () => {
    for (let who = 0; who < 50; who++) expect(await attempt(`person-${who}@example.org`, false, '192.0.2.7')).toBe('refused')
    expect(await attempt('somebody@example.org', true, '192.0.2.7')).toBe('locked for 900 s')
    expect(await attempt('somebody@example.org', true, '192.0.2.8')).toBe('in')
    expect(await attempt('somebody@example.org', true)).toBe('in')
  })

  it('takes the addresses of one /64 of IPv6 for one, and IPv4 in either spelling', async () => {
    for (let who = 0; who < 50; who++) await attempt(`person-${who}@example.org`, false, `2001:db8:0:7:${who.toString(16)}::1`)
    expect(await attempt('somebody@example.org', true, '2001:db8::7:ffff:ffff:ffff:ffff')).toBe('locked for 900 s')
    expect(await attempt('somebody@example.org', true, '2001:0DB8:0:7::')).toBe('locked for 900 s')
    expect(await attempt('somebody@example.org', true, '2001:db8:0:8::1')).toBe('in')
    for (let who = 0; who < 50; who++) await attempt(`other-${who}@example.org`, false, '::ffff:192.0.2.7')
    expect(await attempt('somebody@example.org', true, '192.0.2.7')).toBe('locked for 900 s')
    expect(await attempt('somebody@example.org', true, '::ffff:192.0.2.8')).toBe('in')
    expect(await attempt('somebody@example.org', true, '::1')).toBe('in')
  })

  it('does not count what is no wrong password', async () => {
    for (let tries = 0; tries < 10; tries++)
      await expect(
        guard.watch({ email: 'ada@example.org', address: undefined }, () => Promise.reject(new Error('down')), wrong),
      ).rejects.toThrow('down')
    expect(await attempt('ada@example.org', true)).toBe('in')
  })
})
