import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fingerprintOf, type IndexedExpression, type IndexedPlace, type SearchIndex } from '../../../engines/search-index/search-index.ts'
import { isTextViolation, readTextQuery, type TextQuery } from '../../../foundation/text/text-query.ts'
import { unitVector } from '../analytics-store/analytics-store.contract.ts'

interface IndexUnderTest {
  readonly index: SearchIndex
  /** the same index in another process */
  readonly other: SearchIndex
  /** an index of an earlier generation at the same place */
  readonly earlier: SearchIndex
  /** removes all of its files without its knowledge */
  readonly lose: () => Promise<void>
  readonly close: () => Promise<void>
}

export const indexed = (members: Partial<IndexedExpression> = {}): IndexedExpression => {
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
    version: 1,
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

    it('returns documents by id to every process at once', async () => {
      const [a, b] = [indexed(), indexed({ id: "o'neill" })]
      await subject.index.put([a, b])
      const expected = new Map([a, b].map(({ id, document }) => [id, document]))
      expect(await subject.index.find([a.id, b.id, randomUUID()])).toEqual(expected)
      expect(await subject.other.find([a.id, b.id])).toEqual(expected)
      expect(await subject.index.find([])).toEqual(new Map())
    })

    it('replaces by id: many writers of two processes leave one row', async () => {
      const id = randomUUID()
      const before = await subject.index.count()
      await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? subject.index : subject.other).put([indexed({ id, document: `${n}` })])),
      )
      expect(await subject.other.count()).toBe(before + 1)
      await subject.index.put([indexed({ id, document: 'first' }), indexed({ id, document: 'last' })])
      expect((await subject.other.find([id])).get(id)).toBe('last')
    })

    it('returns the nearest rows first by cosine, including new ones', async () => {
      const lang = 'n1'
      const rows = [11, 12, 13].map((seed) => indexed({ lang, embedding: unitVector(seed) }))
      await subject.index.put([...rows, indexed({ lang, embedding: new Float32Array(768) })])
      const hits = await subject.other.near(unitVector(12), { filter: { lang }, limit: 4 })
      // a row without a direction is near to none
      expect(hits.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
      expect(hits[0]).toMatchObject({ id: rows[1]?.id })
      expect(hits[0]?.score).toBeCloseTo(1, 1)
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    })

    it('finds words regardless of accents and case, in Latin and Arabic script', async () => {
      const [fr, ar] = [indexed({ text: 'L’Électricité est COUPÉE à Thiès' }), indexed({ text: 'الكهرباء مقطوعة في القرية', lang: 'ar' })]
      await subject.index.put([fr, ar])
      const idsOf = async (text: string) => (await subject.other.match(text, { filter: {}, limit: 5 })).map(({ id }) => id)
      expect(await idsOf('electricite')).toContain(fr.id)
      expect(await idsOf('كهرباء')).toEqual([ar.id])
      expect(await idsOf('nowhere')).toEqual([])
      expect(await idsOf('" OR * ( )')).toEqual([])
    })

    it('returns the best match of several words first, including new rows', async () => {
      const rows = Array.from({ length: 12 }, (_, n) => indexed({ text: `Lampadaire ${n === 11 ? 'penché' : 'éteint'}`, lang: 'w1' }))
      await subject.index.put(rows)
      const hits = await subject.other.match('lampadaire penché', { filter: { lang: 'w1' }, limit: 3 })
      expect(hits.map(({ id }) => id)).toEqual([rows[11]?.id, expect.any(String), expect.any(String)])
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    })

    it('filters by domain with descendants, sentiment, language and box, for words and vectors alike', async () => {
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
        [{ domains: ['health'], exceptSubDomains: ['health/staff'] }, [1]],
        [{ sentiment: 'positive' }, [0]],
        [{ lang: 'fr', domains: ['health'] }, [1]],
        [{ box: { west: 178, south: -1, east: -178, north: 1 } }, [0, 1]],
        [{ box: { west: -180, south: -1, east: -178, north: 1 } }, [1]],
      ] as const
      for (const [filter, expected] of cases) {
        const matching = expected.map((n) => ids[n] ?? '').sort()
        const words = await subject.index.match(text, { filter, limit: 10 })
        expect(words.map(({ id }) => id).sort(), JSON.stringify(filter)).toEqual(matching)
        const near = await subject.index.near(unitVector(1), { filter, limit: 1000 })
        expect(
          near
            .map(({ id }) => id)
            .filter((id) => ids.includes(id))
            .sort(),
          JSON.stringify(filter),
        ).toEqual(matching)
      }
    })

    describe('counts', () => {
      const words = (q: string): TextQuery => {
        const read = readTextQuery(q)
        return isTextViolation(read) ? expect.fail(read.message) : read
      }
      const at = (text: string): Date => new Date(text)
      const rows = [
        { text: 'Zèbre perdu près du marché central', lang: 'fr', domain: 'c1', subDomain: 'c1/a', createdAt: at('2026-03-01T23:30:00Z') },
        { text: 'Un zèbre ! Le marché est central.', lang: 'fr', domain: 'c1', subDomain: null, createdAt: at('2026-03-02T12:00:00Z') },
        { text: 'the zebre at the central market', lang: 'en', domain: 'c2', subDomain: null, createdAt: at('2026-03-02T12:00:00Z') },
        {
          text: 'zèbre عند السوق المركزي',
          lang: 'ar',
          domain: null,
          subDomain: null,
          sentiment: null,
          position: null,
          createdAt: at('2026-04-01T00:00:00Z'),
        },
        { text: 'Zèbres au marché central', lang: 'fr', domain: 'c1', subDomain: null, createdAt: at('2026-04-01T00:00:00Z') },
      ].map((members) => indexed({ id: randomUUID(), position: { lat: 10, lon: 20 }, sentiment: 'positive', ...members }))
      const [first, second, third, fourth, fifth] = rows.map(({ id }) => id)
      const all = { text: words('zebre') }
      beforeAll(() => subject.index.put(rows))

      it('finds whole words of any language and phrases, without regard to accents, case and punctuation', async () => {
        const cases = [
          ['ZÈBRE', [first, second, third, fourth]],
          ['zebre central', [first, second, third]],
          ['"marché central"', [first, fifth]],
          ['"zebre le marche est"', [second]],
          ['zebre السوق', [fourth]],
          ['zebre "central marche"', []],
        ] as const
        for (const [q, expected] of cases) {
          const filter = { text: words(q) }
          const found = (await subject.other.newest({ ...filter, isLocated: true }, { limit: 10 })).map(({ id }) => id)
          const unlocated = (await subject.other.newest({ ...filter, isLocated: false }, { limit: 10 })).map(({ id }) => id)
          const ours = [...found, ...unlocated].filter((id) => rows.some((row) => row.id === id))
          expect(ours.sort(), q).toEqual([...expected].sort())
          const [group] = await subject.other.tally(filter, { by: [] })
          expect(group?.count ?? 0, q).toBe(expected.length)
        }
      })

      it('groups by members, by days of a time zone and by tiles, exactly', async () => {
        const { index } = subject
        const counts = (await index.tally(all, { by: ['domain', 'lang'] })).map(({ domain, lang, count }) => `${domain} ${lang} ${count}`)
        expect(counts.sort()).toEqual(['c1 fr 2', 'c2 en 1', 'null ar 1'])
        const daysOf = async (timezone: string) =>
          new Map((await index.tally(all, { by: [], daysOf: timezone })).map(({ day, count }) => [day, count]))
        expect(await daysOf('UTC')).toEqual(
          new Map([
            [20260301, 1],
            [20260302, 2],
            [20260401, 1],
          ]),
        )
        expect(await daysOf('Africa/Lagos')).toEqual(
          new Map([
            [20260302, 3],
            [20260401, 1],
          ]),
        )
        expect(await daysOf('America/New_York')).toEqual(
          new Map([
            [20260301, 1],
            [20260302, 2],
            [20260331, 1],
          ]),
        )
        const [tile, ...others] = await index.tally({ ...all, domains: ['c2'] }, { by: ['sentiment'], tilesOf: 5 })
        expect(others).toEqual([])
        expect(tile).toMatchObject({
          count: 1,
          sentiment: 'positive',
          tile: { column: 17, row: 15, only: { id: third, lang: 'en', subDomain: null } },
        })
        expect(tile?.tile?.only?.createdAt).toEqual(at('2026-03-02T12:00:00Z'))
        const shared = await index.tally(all, { by: ['domain'], tilesOf: 5 })
        expect(shared.map(({ domain, count, tile: at }) => `${domain} ${count} ${at?.only}`).sort()).toEqual(['c1 2 null', 'c2 1 null'])
        expect(tile?.tile?.lat).toBeCloseTo(10, 5)
        expect(tile?.tile?.lon).toBeCloseTo(20, 5)
        expect(
          (await index.tally({ ...all, from: at('2026-03-02T12:00:00Z'), before: at('2026-04-01T00:00:00Z') }, { by: [] }))[0]?.count,
        ).toBe(2)
        expect(await index.tally({ text: words('unheardof') }, { by: ['domain'], tilesOf: 3 })).toEqual([])
      })

      it('lists the newest first in both directions, ties by id, page by page', async () => {
        const { index } = subject
        const ids = async (window: Parameters<typeof index.newest>[1]) => (await index.newest(all, window)).map(({ id }) => id)
        const expected = [fourth, ...[second, third].sort().reverse(), first]
        expect(await ids({ limit: 10 })).toEqual(expected)
        expect(await ids({ limit: 10, isBackward: true })).toEqual(expected.toReversed())
        const pages: (string | undefined)[] = []
        for (
          let beyond: IndexedPlace | undefined, page = await index.newest(all, { limit: 1 });
          page.length > 0;
          page = await index.newest(all, { limit: 1, beyond })
        ) {
          pages.push(page[0]?.id)
          beyond = page[0]
        }
        expect(pages).toEqual(expected)
      })
    })

    it('never replaces a newer version by an older one in any order, unless forced', async () => {
      const id = randomUUID()
      const version = (n: number) => indexed({ id, version: n, document: `${n}` })
      const stored = async () => (await subject.other.find([id])).get(id)
      await subject.index.put([indexed()])
      await subject.index.tidy()
      await Promise.all([4, 9, 2, 7].map((n, index) => (index % 2 === 0 ? subject.index : subject.other).put([version(n)])))
      expect(await stored()).toBe('9')
      await subject.index.put([version(3), version(8)])
      expect(await stored()).toBe('9')
      await subject.index.put([{ ...version(9), document: 'again' }])
      expect(await stored()).toBe('again')
      await subject.index.put([version(5)], { evenOlder: true })
      expect(await stored()).toBe('5')
      await subject.index.put([version(4)])
      expect(await stored()).toBe('5')
      await subject.index.put([version(6)])
      expect(await stored()).toBe('6')
    })

    it('finds rows written with `isDelayAllowed` at once in the writing process, soon in others, and each once', async () => {
      const { index, other } = subject
      const lang = 's1'
      const soon = { isDelayAllowed: true }
      const rows = Array.from({ length: 4 }, (_, n) => indexed({ id: `soon-${n}`, text: 'kiosque', lang }))
      const documents = new Map(rows.map(({ id, document }) => [id, document]))
      const ids = [...documents.keys()]
      await Promise.all(rows.map((row, n) => index.put([row], { ...soon, areNew: n < 3 })))
      expect(await index.find(ids)).toEqual(documents)
      const request = { filter: { lang }, limit: 10 }
      expect((await index.match('kiosque', request)).map(({ id }) => id).sort()).toEqual(ids)
      await index.put([indexed({ id: 'soon-4', text: 'kiosque', lang })], soon)
      expect(await index.near(unitVector(1), request)).toHaveLength(5)
      await index.put([indexed({ id: 'soon-3', version: 2, document: 'newer', lang })], soon)
      expect((await index.find(['soon-3'])).get('soon-3')).toBe('newer')
      await expect.poll(async () => (await other.find(['soon-3'])).get('soon-3')).toBe('newer')
      await index.put([indexed({ id: 'soon-3', version: 1, document: 'older', lang })], soon)
      const range = { after: 'soon-', upTo: 'soon-9' }
      expect([...(await index.versions(range, 10)).values()]).toEqual([1, 1, 1, 2, 1])
      expect((await other.find(['soon-3'])).get('soon-3')).toBe('newer')
      await index.put([indexed({ id: 'soon-5', lang })], { ...soon, areNew: true })
      await index.remove(['soon-4', 'soon-5'])
      expect((await other.versions(range, 10)).size).toBe(4)
      expect((await index.find(['soon-4', 'soon-5'])).size).toBe(0)
    })

    it('removes rows, which may be added again, and summarises ranges of ids by count, fingerprints and versions', async () => {
      const rows = Array.from({ length: 7 }, (_, n) => indexed({ id: `range-${n}`, version: 100 + n }))
      await subject.index.put(rows)
      const range = { after: 'range-', upTo: 'range-9' }
      await subject.other.remove(['range-0', 'range-4', 'range-5'])
      await subject.other.remove([])
      await subject.other.put(rows.slice(4, 5))
      const remaining = [1, 2, 3, 4, 6]
      expect([...(await subject.index.versions(range, 100))]).toEqual(remaining.map((n) => [`range-${n}`, 100 + n]))
      expect([...(await subject.index.versions({ after: 'range-1', upTo: 'range-4' }, 2)).keys()]).toEqual(['range-2', 'range-3'])
      const sum = (those: readonly number[]) => those.reduce((total, n) => total + fingerprintOf(`range-${n}`, 100 + n), 0)
      expect(await subject.index.summarise(range)).toEqual({ count: 5, sum: sum(remaining) })
      expect(await subject.index.summarise({ after: 'range-3', upTo: 'range-6' })).toEqual({ count: 2, sum: sum([4, 6]) })
      expect(await subject.index.summarise({})).toMatchObject({ count: await subject.index.count() })
      expect(await subject.index.summarise({ after: 'zzzz' })).toEqual({ count: 0, sum: 0 })
    })

    it('stores the phrases of the taxonomy by domain', async () => {
      const phrase = (domain: string, fingerprint: string, n = 0) => ({
        id: `${domain}#${n}`,
        domain,
        fingerprint,
        text: 'x',
        embedding: unitVector(n),
      })
      await subject.index.putPhrases(
        ['a', 'b'],
        [phrase('a', '1'), { ...phrase('a', '1', 1), embedding: new Float32Array(768) }, phrase('b', '1')],
      )
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

    it('orders equal matches by id, so that a longer result starts with a shorter one', async () => {
      const [lang, text] = ['e1', 'fontaine tarie']
      const equal = Array.from({ length: 60 }, () => indexed({ lang, text }))
      await subject.index.put(equal.slice(0, 35))
      await subject.index.tidy()
      await subject.index.put([...equal.slice(35), indexed({ lang, text: 'fontaine', embedding: unitVector(2) })])
      const queries = [
        (limit: number) => subject.other.match('fontaine tarie', { filter: { lang }, limit }),
        (limit: number) => subject.other.near(unitVector(1), { filter: { lang }, limit }),
      ]
      for (const query of queries) {
        const all = (await query(100)).map(({ id }) => id)
        expect(new Set(all).size).toBe(61)
        for (const limit of [1, 21, 41, 60]) expect((await query(limit)).map(({ id }) => id)).toEqual(all.slice(0, limit))
        const scores = new Map((await query(100)).map(({ id, score }) => [id, score]))
        const inOrder = all.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || (a < b ? -1 : 1))
        expect(all).toEqual(inOrder)
      }
    })

    it('is rebuilt beside the serving index, and replaces it for every process at once', async () => {
      const lang = 'rb'
      const [old, current] = [indexed({ lang }), indexed({ lang, embedding: unitVector(5) })]
      await subject.index.put([old, current])
      const before = await subject.index.identity()
      expect(await subject.other.identity()).toBe(before)
      const abandoned = await subject.index.rebuild()
      await abandoned.put([old])
      const next = await subject.other.rebuild()
      await next.put([current])
      await next.put([{ ...current, version: 0, document: 'older' }])
      expect(await next.count()).toBe(1)
      expect(await next.summarise({})).toEqual({ count: 1, sum: fingerprintOf(current.id, current.version) })
      expect((await subject.index.find([old.id, current.id])).size).toBe(2)
      let isQuerying = true
      const answers: number[] = []
      const busy = (async () => {
        while (isQuerying) answers.push((await subject.index.near(unitVector(5), { filter: { lang }, limit: 1 })).length)
      })()
      await next.publish()
      isQuerying = false
      await busy
      expect(new Set(answers)).toEqual(new Set([1]))
      expect(await subject.index.find([old.id, current.id])).toEqual(new Map([[current.id, current.document]]))
      expect(await subject.index.identity()).not.toBe(before)
      expect(await subject.index.count()).toBe(1)
      await subject.index.put([old])
      expect(await subject.other.count()).toBe(2)
      await (await subject.index.rebuild()).discard()
      expect(await subject.other.count()).toBe(2)
      await next.discard()
      expect(await subject.other.count()).toBe(2)
    })

    it('removes data of other generations, and none of its own', async () => {
      const { index, earlier } = subject
      const [mine, theirs] = [indexed(), indexed()]
      await index.put([mine])
      await index.putPhrases(['p'], [{ id: 'p-1', domain: 'p', fingerprint: '1', text: 'p', embedding: unitVector(1) }])
      await earlier.put([theirs])
      const before = { identity: await index.identity(), count: await index.count(), taxonomy: await index.taxonomy() }
      const [unused = ''] = (await earlier.identity()).split(' ')
      expect(await index.prune()).toContain(unused)
      expect({ identity: await index.identity(), count: await index.count(), taxonomy: await index.taxonomy() }).toEqual(before)
      expect(await index.prune()).toEqual([])
      // a process that still needs the other generation starts over
      expect(await earlier.count()).toBe(0)
    })

    it('is available again, empty, after its files were lost', async () => {
      await subject.index.health(AbortSignal.timeout(60_000))
      await subject.index.put([indexed()])
      const before = await subject.index.identity()
      await subject.lose()
      const again = indexed()
      await subject.other.put([again])
      expect(await subject.index.identity()).not.toBe(before)
      expect([await subject.index.count(), await subject.index.taxonomy()]).toEqual([1, new Map()])
      expect((await subject.index.find([again.id])).size).toBe(1)
      expect(await subject.index.near(again.embedding, { filter: {}, limit: 3 })).toHaveLength(1)
      await subject.index.health(AbortSignal.timeout(60_000))
    })
  })
}
