import { describe, expect, it } from 'vitest'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { shippedTaxonomy } from '../../../subgraphs/classification/data/shipped-taxonomy.ts'
import { asDomains } from '../../../subgraphs/classification/taxonomy/as-domains.ts'
import { synchroniseTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'

const signal = AbortSignal.timeout(60_000)

/** Returns a platform whose encoder calls `beforePhrase` before each phrase. */
function platform(beforePhrase: (n: number) => unknown) {
  const clock = { time: 0, now: () => clock.time }
  let phrases = 0
  const engines = {
    store: {
      readTaxonomy: async () => ({
        version: '1',
        number: 1,
        successors: new Map(),
        domains: asDomains(shippedTaxonomy.filter(({ id }) => id === 'health' || id === 'energy')),
      }),
    },
    index: { taxonomy: async () => new Map(), putPhrases: async () => undefined },
    keyValue: memoryKeyValue({ clock }),
    encoder: {
      model: 'test',
      encode: async () => {
        await beforePhrase(++phrases)
        return new Float32Array(768)
      },
    },
  }
  // the parts that a synchronisation uses
  return { clock, synchronise: () => synchroniseTaxonomy(engines as never, signal) }
}
const conflict = { code: 'CONFLICT' }

describe('a synchronisation of the taxonomy', () => {
  it('excludes others while it runs, and the next one starts after it', async () => {
    const others: unknown[] = []
    const slow = platform(async (n) => {
      slow.clock.time += 2000
      if (n === 100 || n === 150) others.push(await slow.synchronise().catch((error: unknown) => error))
    })
    const { reEmbedded } = await slow.synchronise()
    expect(slow.clock.time).toBe(2000 * reEmbedded)
    expect(slow.clock.time).toBeGreaterThan(200_000)
    expect(others).toHaveLength(2)
    for (const other of others) expect(other).toMatchObject(conflict)
    await expect(slow.synchronise()).resolves.toMatchObject({ version: '1' })
  })

  it('aborts after it was presumed dead, and does not disturb its successor', async () => {
    const [hang, begun, wake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hanging = platform((n) => {
      if (n === 1) return hang.promise
      if (n > 2) return
      begun.resolve()
      return wake.promise
    })
    const first = hanging.synchronise()
    await expect(hanging.synchronise()).rejects.toMatchObject(conflict)
    hanging.clock.time += 600_000
    const second = hanging.synchronise()
    await begun.promise
    hang.resolve()
    await expect(first).rejects.toMatchObject(conflict)
    await expect(hanging.synchronise()).rejects.toMatchObject(conflict)
    wake.resolve()
    await expect(second).resolves.toMatchObject({ version: '1' })
  })
})
