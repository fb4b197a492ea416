import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPublicKeys, SigningKeys } from '../../../engines/identity/signing-keys.ts'
import { identityKey } from '../../../engines/identity/tables.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const vaultKey = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)

describe.each(relationalEngines())('the signing keys of the embedded issuer on $name', (engine) => {
  let opened: Awaited<ReturnType<typeof openMigrated>>
  const begin = Date.UTC(2026, 0, 1)
  let now = begin
  const clock = { now: () => now }
  const keysOf = (key: number, ...previous: number[]): SigningKeys =>
    new SigningKeys(opened.database, vaultKey(key), clock, previous.map(vaultKey))
  /** returns the kids of the private keys, the signing one first, and asserts that they are the published ones */
  const keyIds = async (keys = keysOf(1)) => {
    const kids = (await keys.current()).map(({ kid }) => kid)
    const published = (await readPublicKeys(opened.database)).keys.map(({ kid }) => kid)
    expect(published.toSorted()).toEqual(kids.toSorted())
    return kids
  }
  beforeAll(async () => {
    opened = await openMigrated(engine)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  it('rotate without invalidating a token: the next key is published before it signs, and the last one remains until its tokens expire', async () => {
    const [first] = await keyIds()
    expect(await Promise.all([keyIds(), keyIds(), keyIds()])).toEqual([[first], [first], [first]])

    now = begin + 30 * dayMs - 2 * hourMs
    expect(await keyIds()).toEqual([first])
    now = begin + 30 * dayMs - hourMs / 2
    const announced = await keyIds()
    expect(announced).toEqual([first, expect.any(String)])
    const second = announced[1]

    now = begin + 30 * dayMs + hourMs
    expect(await keyIds()).toEqual([second, first])
    now = begin + 32 * dayMs
    expect(await keyIds()).toEqual([second])
  })

  it('are published without their private half', async () => {
    for (const key of (await readPublicKeys(opened.database)).keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('are decrypted after a change of VAULT_KEY with the previous key once, then without it; never with another key', async () => {
    const before = await keyIds()
    await expect(keysOf(2).current()).rejects.toThrow('encrypted with another VAULT_KEY')
    expect(await keyIds(keysOf(2, 9, 1))).toEqual(before)
    expect(await keyIds(keysOf(2))).toEqual(before)
    await expect(keysOf(1).current()).rejects.toThrow('encrypted with another VAULT_KEY')
  })

  it('remain usable when one of them cannot be read, and are replaced at once after a disclosure', async () => {
    const [good = ''] = await keyIds(keysOf(2))
    const damaged = {
      kid: 'damaged',
      publicKey: { kid: 'damaged' },
      sealedKey: 'a.b.c.d.e',
      activeFrom: new Date(now),
      expiresAt: new Date(now + dayMs),
    }
    await opened.database.orm.insert(identityKey).values(damaged)
    expect((await keysOf(2).current()).map(({ kid }) => kid)).toEqual([good])
    await expect(keysOf(2).rewrap()).rejects.toThrow('encrypted with another VAULT_KEY')
    await keysOf(2).replace()
    const after = await keyIds(keysOf(2))
    expect([after.length, after.includes(good)]).toEqual([1, false])
    expect(await keysOf(3, 2).rewrap()).toBe(1)
    expect(await keyIds(keysOf(3))).toEqual(after)
    expect(await keysOf(2, 3).rewrap()).toBe(1)
  })

  it('are generated again after a long pause, and sign at once', async () => {
    const [old] = await keyIds(keysOf(2))
    now = begin + 400 * dayMs
    const [fresh, ...others] = await keyIds(keysOf(2))
    expect([fresh === old, others]).toEqual([false, []])
  })
})
