import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IndexedExpression, SearchIndex } from '../../subgraphs/engines/search-index/search-index.ts'
import { unitVector } from './analytics-store.contract.ts'

interface IndexUnderTest {
  readonly index: SearchIndex
  /** the same index, seen by another process */
  readonly other: SearchIndex
  readonly close: () => Promise<void>
}

const indexed = (members: Partial<IndexedExpression> = {}): IndexedExpression => {
  const id = members.id ?? randomUUID()
  return {
    id,
    text: 'Le robinet public ne coule plus',
    lang: 'fr',
    domain: 'water-sanitation',
    subDomain: 'water-sanitation/supply',
    sentiment: 'negative',
    position: { lat: 12.5, lon: -16.25 },
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    embedding: unitVector(1),
    document: JSON.stringify({ id, odd: 'quote \' " 日本 😀' }),
    ...members,
  }
}

export function searchIndexContract(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(`search index: ${name}`, () => {
    let subject: IndexUnderTest
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(() => subject?.close())

    it('gives documents back by id, to every process at once', async () => {
      const [a, b] = [indexed(), indexed({ id: "o'neill" })]
      await subject.index.put([a, b])
      const expected = new Map([a, b].map(({ id, document }) => [id, document]))
      expect(await subject.index.find([a.id, b.id, randomUUID()])).toEqual(expected)
      expect(await subject.other.find([a.id, b.id])).toEqual(expected)
      expect(await subject.index.find([])).toEqual(new Map())
    })

    it('replaces by id: many writers of both processes leave one row', async () => {
      const id = randomUUID()
      const before = await subject.index.count()
      await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? subject.index : subject.other).put([indexed({ id, document: `${n}` })])),
      )
      expect(await subject.other.count()).toBe(before + 1)
      await subject.index.put([indexed({ id, document: 'first' }), indexed({ id, document: 'last' })])
      expect((await subject.other.find([id])).get(id)).toBe('last')
    })

    it('finds the nearest first, by cosine, also what has just been written', async () => {
      const lang = 'n1'
      const rows = [11, 12, 13].map((seed) => indexed({ lang, embedding: unitVector(seed) }))
      await subject.index.put([...rows, indexed({ lang, embedding: new Float32Array(768) })])
      const hits = await subject.other.near(unitVector(12), { filter: { lang }, limit: 3 })
      expect(hits[0]).toMatchObject({ id: rows[1]?.id, document: rows[1]?.document })
      expect(hits[0]?.score).toBeCloseTo(1, 1)
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    })

    it('finds words whatever their accents and case, in Latin and Arabic script', async () => {
      const [fr, ar] = [indexed({ text: 'L’Électricité est COUPÉE à Thiès' }), indexed({ text: 'الكهرباء مقطوعة في القرية', lang: 'ar' })]
      await subject.index.put([fr, ar])
      const found = async (text: string) => (await subject.other.match(text, { filter: {}, limit: 5 })).map(({ id }) => id)
      expect(await found('electricite')).toContain(fr.id)
      expect(await found('كهرباء')).toEqual([ar.id])
      expect(await found('nowhere')).toEqual([])
      expect(await found('" OR * ( )')).toEqual([])
    })

    it('filters by domain with descendants, tone, language and box, with words and vectors alike', async () => {
      const text = 'zanzibar'
      const rows = [
        indexed({ text, domain: 'health', subDomain: 'health/staff', sentiment: 'positive', lang: 'en', position: { lat: 0, lon: 179 } }),
        indexed({ text, domain: 'health', subDomain: null, lang: 'fr', position: { lat: 0, lon: -179 } }),
        indexed({ text, domain: null, subDomain: null, sentiment: null, lang: 'fr', position: null }),
      ]
      await subject.index.put(rows)
      const ids = rows.map(({ id }) => id)
      const cases = [
        [{ domains: ['health'] }, [0, 1]],
        [{ domains: ['health/staff', 'energy'] }, [0]],
        [{ domains: [] }, []],
        [{ sentiment: 'positive' }, [0]],
        [{ lang: 'fr', domains: ['health'] }, [1]],
        [{ box: { west: 178, south: -1, east: -178, north: 1 } }, [0, 1]],
        [{ box: { west: -180, south: -1, east: -178, north: 1 } }, [1]],
      ] as const
      for (const [filter, expected] of cases) {
        const wanted = expected.map((n) => ids[n] ?? '').sort()
        const words = await subject.index.match(text, { filter, limit: 10 })
        expect(words.map(({ id }) => id).sort(), JSON.stringify(filter)).toEqual(wanted)
        const near = await subject.index.near(unitVector(1), { filter, limit: 1000 })
        expect(
          near
            .map(({ id }) => id)
            .filter((id) => ids.includes(id))
            .sort(),
          JSON.stringify(filter),
        ).toEqual(wanted)
      }
    })

    it('forgets what is removed, and pages through the ids of the rest', async () => {
      const rows = Array.from({ length: 7 }, () => indexed())
      await subject.index.put(rows)
      await subject.other.remove(rows.slice(0, 3).map(({ id }) => id))
      await subject.other.remove([])
      const ids: string[] = []
      for (let after: string | undefined; ; after = ids.at(-1)) {
        const page = await subject.index.ids(after, 5)
        ids.push(...page)
        if (page.length < 5) break
      }
      expect(ids).toHaveLength(await subject.index.count())
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toEqual(expect.arrayContaining(rows.slice(3).map(({ id }) => id)))
      for (const { id } of rows.slice(0, 3)) expect(ids).not.toContain(id)
    })

    it('keeps the phrases of the taxonomy by domain', async () => {
      const phrase = (domain: string, revision: string, n = 0) => ({
        id: `${domain}#${n}`,
        domain,
        revision,
        text: 'x',
        embedding: unitVector(n),
      })
      await subject.index.putPhrases(['a', 'b'], [phrase('a', '1'), phrase('a', '1', 1), phrase('b', '1')])
      await subject.index.putPhrases(['a'], [phrase('a', '2')])
      expect(await subject.other.taxonomy()).toEqual(
        new Map([
          ['a', '2'],
          ['b', '1'],
        ]),
      )
      await subject.index.putPhrases(['b'], [])
      expect(await subject.other.taxonomy()).toEqual(new Map([['a', '2']]))
    })

    it('answers that it is there, and is empty after clear', async () => {
      await subject.index.health(AbortSignal.timeout(5000))
      await subject.index.clear()
      expect([await subject.other.count(), await subject.other.taxonomy()]).toEqual([0, new Map()])
      await subject.index.put([indexed()])
      expect(await subject.other.count()).toBe(1)
    })
  })
}
