import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPublicKeys, SigningKeys } from '../../../engines/identity/signing-keys.ts'
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
  /** kids of the private keys, the signing one first, and of what verifiers read */
  const seen = async (keys = keysOf(1)) => {
    const own = (await keys.current()).map(({ kid }) => kid)
    const published = (await readPublicKeys(opened.database)).keys.map(({ kid }) => kid)
    expect(published.toSorted()).toEqual(own.toSorted())
    return own
  }
  beforeAll(async () => {
    opened = await openMigrated(engine)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  it('change without a moment in which a token cannot be verified: the next is published before it signs, the last stays until its tokens are over', async () => {
    const [first] = await seen()
    expect(await Promise.all([seen(), seen(), seen()])).toEqual([[first], [first], [first]])

    now = begin + 30 * dayMs - 2 * hourMs
    expect(await seen()).toEqual([first])
    now = begin + 30 * dayMs - hourMs / 2
    const announced = await seen()
    expect(announced).toEqual([first, expect.any(String)])
    const second = announced[1]

    now = begin + 30 * dayMs + hourMs
    expect(await seen()).toEqual([second, first])
    now = begin + 32 * dayMs
    expect(await seen()).toEqual([second])
  })

  it('publish nothing of their private half', async () => {
    for (const key of (await readPublicKeys(opened.database)).keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('are opened after a change of VAULT_KEY, once with the one before, then without; never with another', async () => {
    const before = await seen()
    await expect(keysOf(2).current()).rejects.toThrow('encrypted with another VAULT_KEY')
    expect(await seen(keysOf(2, 9, 1))).toEqual(before)
    expect(await seen(keysOf(2))).toEqual(before)
    await expect(keysOf(1).current()).rejects.toThrow('encrypted with another VAULT_KEY')
  })

  it('are made anew after a long rest, and sign at once', async () => {
    const [old] = await seen(keysOf(2))
    now = begin + 400 * dayMs
    const [fresh, ...others] = await seen(keysOf(2))
    expect([fresh === old, others]).toEqual([false, []])
  })
})
