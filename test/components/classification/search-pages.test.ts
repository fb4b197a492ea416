import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { type Clock, systemClock } from '../../../foundation/clock.ts'
import { silentLog } from '../../../foundation/log.ts'
import { ExpressionResolver } from '../../../subgraphs/classification/graphql/expression.resolver.ts'
import { PinnedRankings } from '../../../subgraphs/classification/search/pinned-rankings.ts'
import type { SearchMode } from '../../../subgraphs/classification/search/search-expressions.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'

const encoder = projectionEncoder()
const signal = AbortSignal.timeout(100_000)
const context = { signal, principal: {}, address: '192.0.2.1' } as never
const text = 'Le pont de la rivière est cassé'

describe('pages of a search', () => {
  let folder: string
  let index: ReturnType<typeof lanceSearchIndex>
  let resolver: ExpressionResolver
  const store = { findExpressions: async () => [] }
  // only these parts are used
  const resolverAt = (clock: Clock): ExpressionResolver =>
    new ExpressionResolver({
      index,
      encoder,
      store,
      rankings: new PinnedRankings(memoryKeyValue({ clock }).partition('searches'), clock),
    } as never)
  const ids = Array.from({ length: 60 }, () => randomUUID())

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
    index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
    const embedding = await encoder.encode(text, signal)
    const common = { text, lang: 'fr', domain: null, subDomain: null, sentiment: null, position: null, createdAt: new Date(0), version: 1 }
    await index.put(ids.map((id) => ({ ...common, id, embedding, document: JSON.stringify(expressionDocument({ id, text })) })))
    resolver = resolverAt(systemClock)
  })
  afterAll(async () => {
    await index?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(['text', 'semantic', 'hybrid'] satisfies SearchMode[])(
    'return each of many equally ranked expressions once: %s',
    async (mode) => {
      const hits: string[] = []
      for (let after: string | null = null, more = true; more; ) {
        const { nodes, pageInfo } = await resolver.searchExpressions({ text: 'pont cassé', mode } as never, { first: 7, after }, context)
        hits.push(...nodes.map(({ id }) => id))
        more = pageInfo.hasNextPage
        after = pageInfo.endCursor ?? null
      }
      expect(hits).toEqual(ids.toSorted())
    },
  )

  it('return each similar expression once, without the expression itself', async () => {
    const [first = ''] = ids
    const hits: string[] = []
    for (let after: string | null = null, more = true; more; ) {
      const { nodes, pageInfo } = await resolver.similarExpressions(first, { first: 7, after }, context)
      hits.push(...nodes.map(({ id }) => id))
      more = pageInfo.hasNextPage
      after = pageInfo.endCursor ?? null
    }
    expect(hits).toEqual(ids.slice(1).toSorted())
    const past = Buffer.from('["",1001]').toString('base64url')
    await expect(resolver.similarExpressions(first, { first: 7, after: past }, context)).rejects.toMatchObject({
      code: 'MALFORMED',
    })
  })

  it.each(['text', 'semantic', 'hybrid'] satisfies SearchMode[])('show the index as of the first page: %s', async (mode) => {
    const page = (after: string | null) => resolver.searchExpressions({ text: 'pont cassé', mode } as never, { first: 20, after }, context)
    const first = await page(null)
    // would be ranked first, and moves the others by one
    const [late, withdrawn = ''] = ['00000000-0000-4000-8000-000000000000', ids.toSorted()[30]]
    const embedding = await encoder.encode(text, signal)
    const row = { text, lang: 'fr', domain: null, subDomain: null, sentiment: null, position: null, createdAt: new Date(0), embedding }
    await index.put([{ ...row, id: late, version: 1, document: JSON.stringify(expressionDocument({ id: late, text })) }])
    await index.remove([withdrawn])
    try {
      const second = await page(first.pageInfo.endCursor)
      const third = await page(second.pageInfo.endCursor)
      const shown = [first, second, third].flatMap(({ nodes }) => nodes.map(({ id }) => id))
      expect(shown).toEqual(ids.toSorted().filter((id) => id !== withdrawn))
      expect(third.pageInfo.hasNextPage).toBe(false)
      expect((await page(null)).nodes[0]?.id).toBe(late)
    } finally {
      await index.remove([late])
      await index.put([{ ...row, id: withdrawn, version: 2, document: JSON.stringify(expressionDocument({ id: withdrawn, text })) }])
    }
  })

  it('expire ten minutes after the first page, and when the client has made many newer searches', async () => {
    let now = Date.UTC(2026, 0)
    const later = resolverAt({ now: () => now })
    const page = (after: string | null, address = '192.0.2.1') =>
      later.searchExpressions({ text: 'pont cassé', mode: 'text' } as never, { first: 2, after }, {
        signal,
        principal: {},
        address,
      } as never)
    const { endCursor } = (await page(null)).pageInfo
    now += 9 * 60_000
    expect((await page(endCursor)).nodes).toHaveLength(2)
    const expired = { code: 'BAD_USER_INPUT', details: { entries: [{ code: 'expired', path: ['after'] }] } }
    now += 61_000
    await expect(page(endCursor)).rejects.toMatchObject(expired)
    const [own, foreign] = [(await page(null)).pageInfo.endCursor, (await page(null, '192.0.2.2')).pageInfo.endCursor]
    for (let n = 0; n < 100; n++) await page(null)
    await expect(page(own)).rejects.toMatchObject(expired)
    expect((await page(foreign)).nodes).toHaveLength(2)
  })
})
