import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type PublicVotingLimits, voterInBrowser } from '../../../subgraphs/exploration/votes/public-voting.ts'

const key = randomBytes(32)
const limits: PublicVotingLimits = { isOn: true, perMinute: 2, loopbackUnlimited: true }

function voting(some: Partial<PublicVotingLimits> = {}) {
  const counts = new Map<string, number>()
  const increment = async (name: string): Promise<number> => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts.get(name) ?? 0
  }
  return { limits: { ...limits, ...some }, keyValue: { increment }, pseudonymKey: key }
}

describe('a browser in which nobody has signed in', () => {
  it('votes as one and the same with the pass of its first vote, and as somebody else without', async () => {
    const public_ = voting()
    const first = await voterInBrowser(public_, null, '127.0.0.1')
    expect(await voterInBrowser(public_, first.pass, '127.0.0.1')).toEqual(first)
    const other = await voterInBrowser(public_, undefined, '127.0.0.1')
    expect(other.voter).not.toBe(first.voter)
    expect(first.voter).toMatch(/^[0-9a-f]{64}$/)
    expect(first.pass).not.toContain(first.voter)
  })

  it.each([
    ['nothing', ''],
    ['what is no pass', 'abc'],
    ['a pass of another platform', async () => (await voterInBrowser({ ...voting(), pseudonymKey: randomBytes(32) }, null, '::1')).pass],
    [
      'a pass with another number',
      async () => {
        const { pass } = await voterInBrowser(voting(), null, '::1')
        return `${pass[0] === 'A' ? 'B' : 'A'}${pass.slice(1)}`
      },
    ],
  ])('is refused by name with %s', async (_, given) => {
    const pass = typeof given === 'string' ? given : await given()
    await expect(voterInBrowser(voting(), pass, '::1')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('`pass`'),
    })
  })

  it('is limited by its address, whatever its pass, and not on this machine in development', async () => {
    const public_ = voting()
    for (let n = 0; n < 2; n++) await voterInBrowser(public_, null, '192.0.2.1')
    await expect(voterInBrowser(public_, null, '192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await voterInBrowser(public_, null, '192.0.2.2')
    for (let n = 0; n < 5; n++) await voterInBrowser(public_, null, '127.0.0.1')
    const inProduction = voting({ loopbackUnlimited: false, perMinute: 1 })
    await voterInBrowser(inProduction, null, '127.0.0.1')
    await expect(voterInBrowser(inProduction, null, '127.0.0.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('does not vote where PUBLIC_VOTING is off', async () => {
    await expect(voterInBrowser(voting({ isOn: false }), null, '::1')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
