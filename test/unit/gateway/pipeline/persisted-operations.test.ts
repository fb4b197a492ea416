import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { silentLog } from '../../../../foundation/log.ts'
import { persistedOperations } from '../../../../gateway/pipeline/persisted-operations.ts'

const persistedQuery = (text: string) => ({ version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') })
const textOf = (index: number): string => `{__typename} # ${index}`.padEnd(16_000, 'x')

it('stores a limited number of characters of an address and of all in an hour', async () => {
  const stored: string[] = []
  const clock = { at: 0, now: () => clock.at }
  const store = { get: async () => undefined, set: async (key: string) => void stored.push(key) }
  const persisted = persistedOperations(store, silentLog, undefined, clock)
  let last = 0
  const send = async (address: string, count: number): Promise<number> => {
    const before = stored.length
    for (const end = last + count; last < end; last++) await persisted.store(textOf(last), persistedQuery(textOf(last)), address)
    return stored.length - before
  }
  expect(await send('203.0.113.1', 100)).toBe(32)
  // another address of the same network
  expect(await send('2001:db8::1', 20)).toBe(20)
  expect(await send('2001:db8::2', 20)).toBe(12)
  // a text that was not stored is still executed, and found by its hash in this process
  expect(await persisted.textOf({ query: undefined, documentId: undefined, persistedQuery: persistedQuery(textOf(last - 1)) })).toBe(
    textOf(last - 1),
  )
  let all = 0
  for (let address = 2; address < 10; address++) all += await send(`203.0.113.${address}`, 40)
  expect(all).toBe(131 - 64)
  clock.at += 3_600_000
  expect(await send('203.0.113.1', 3)).toBe(3)
})
