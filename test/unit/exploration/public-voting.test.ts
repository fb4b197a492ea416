import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type PublicVotingLimits, publicVoter } from '../../../subgraphs/exploration/votes/public-voting.ts'

const key = randomBytes(32)
const limits: PublicVotingLimits = { isOn: true, perMinute: 2, votersPerExpression: 5, votersPerDay: 50, loopbackUnlimited: true }
const expressionId = randomUUID()
const noon = Date.parse('2026-11-27T12:00:00Z')

function voting(some: Partial<PublicVotingLimits> = {}, now = noon) {
  const counts = new Map<string, number>()
  const increment = async (name: string): Promise<number> => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts.get(name) ?? 0
  }
  return { limits: { ...limits, ...some }, keyValue: { increment }, pseudonymKey: key, clock: { now: () => now } }
}

const passFor = async (address: string, id = expressionId, now = noon): Promise<string> =>
  (await publicVoter(voting({}, now), { expressionId: id }, address)).pass.text

describe('a browser without a signed-in user', () => {
  it('is the same voter with its pass for an expression, and a new voter without it', async () => {
    const first = await publicVoter(voting(), { expressionId }, '192.0.2.1')
    const again = await publicVoter(voting(), { expressionId, pass: first.pass.text }, '192.0.2.1')
    expect(again).toEqual(first)
    expect((await publicVoter(voting(), { expressionId: expressionId.toUpperCase(), pass: first.pass.text }, '192.0.2.1')).voter).toBe(
      first.voter,
    )
    const other = await publicVoter(voting(), { expressionId }, '192.0.2.1')
    expect(other.voter).not.toBe(first.voter)
    expect(first.voter).toMatch(/^[0-9a-f]{64}$/)
    expect(first.pass.text).not.toContain(first.voter)
  })

  it.each([
    ['an empty text', async () => ''],
    ['a text that is not a pass', async () => 'abc'],
    ['a pass of another expression', () => passFor('192.0.2.1', randomUUID())],
    ['a pass of another address', () => passFor('192.0.2.2')],
    ['a pass of a neighbouring /64', () => passFor('2001:db8:1:2::1')],
    ['an expired pass', () => passFor('192.0.2.1', expressionId, noon - 24 * 3_600_000)],
    [
      'a pass of another platform',
      async () => (await publicVoter({ ...voting(), pseudonymKey: randomBytes(32) }, { expressionId }, '192.0.2.1')).pass.text,
    ],
    [
      'a pass with another number',
      async () => {
        const pass = await passFor('192.0.2.1')
        return `${pass[0] === 'A' ? 'B' : 'A'}${pass.slice(1)}`
      },
    ],
    [
      'a pass with a later expiry',
      async () => {
        const bytes = Buffer.from(await passFor('192.0.2.1'), 'base64url')
        bytes.writeUIntBE(bytes.readUIntBE(16, 6) + 3600, 16, 6)
        return bytes.toString('base64url')
      },
    ],
  ])('is refused with %s, named in the error', async (_, pass) => {
    await expect(publicVoter(voting(), { expressionId, pass: await pass() }, '192.0.2.1')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { entries: [{ path: ['voterToken'] }] },
    })
  })

  it('changes its vote for 24 hours from any address of its /64', async () => {
    const first = await publicVoter(voting(), { expressionId }, '2001:db8:1:2::1')
    const vote = { expressionId, pass: first.pass.text }
    const later = await publicVoter(voting({}, noon + 24 * 3_600_000 - 1000), vote, '2001:db8:1:2:ffff::9')
    expect(later.voter).toBe(first.voter)
    expect(later.pass).toEqual({ ...first.pass, expiresAt: new Date(noon + 24 * 3_600_000) })
  })

  it('uses the allowance of its network and day, whose key reveals neither', async () => {
    const { allowance } = await publicVoter(voting(), { expressionId }, '2001:db8:1:2::1')
    expect(allowance).toEqual({ day: '2026-11-27', address: expect.stringMatching(/^[0-9a-f]{64}$/), perExpression: 5, perDay: 50 })
    const of = async (address: string | undefined, now = noon): Promise<string> =>
      (await publicVoter(voting({}, now), { expressionId: randomUUID() }, address)).allowance.address
    expect(await of('2001:db8:1:2:3::4')).toBe(allowance.address)
    expect(await of('2001:db8:1:3::1')).not.toBe(allowance.address)
    expect(await of('2001:db8:1:2::1', noon + 86_400_000)).not.toBe(allowance.address)
    expect(await of(undefined)).toBe(await of(undefined))
  })

  it('is limited for each address and minute, whatever its pass, and is unlimited on loopback in development', async () => {
    const public_ = voting()
    for (let n = 0; n < 2; n++) await publicVoter(public_, { expressionId }, '192.0.2.1')
    await expect(publicVoter(public_, { expressionId }, '192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await publicVoter(public_, { expressionId }, '192.0.2.2')
    for (let n = 0; n < 5; n++) await publicVoter(public_, { expressionId }, '127.0.0.1')
    const inProduction = voting({ loopbackUnlimited: false, perMinute: 1 })
    await publicVoter(inProduction, { expressionId }, '127.0.0.1')
    await expect(publicVoter(inProduction, { expressionId }, '127.0.0.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('cannot vote while PUBLIC_VOTING is off', async () => {
    await expect(publicVoter(voting({ isOn: false }), { expressionId }, '::1')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
