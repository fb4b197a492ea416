import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { silentLog } from '../../../foundation/log.ts'
import { ExpressionResolver } from '../../../subgraphs/classification/graphql/expression.resolver.ts'
import type { SearchMode } from '../../../subgraphs/classification/search/search-expressions.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'

const encoder = projectionEncoder()
const signal = AbortSignal.timeout(100_000)
const text = 'Le pont de la rivière est cassé'

describe('pages of a search', () => {
  let folder: string
  let index: ReturnType<typeof lanceSearchIndex>
  let resolver: ExpressionResolver
  const ids = Array.from({ length: 60 }, () => randomUUID())

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
    index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
    const embedding = await encoder.encode(text, signal)
    const common = { text, lang: 'fr', domain: null, subDomain: null, sentiment: null, position: null, createdAt: new Date(0), version: 1 }
    await index.put(ids.map((id) => ({ ...common, id, embedding, document: JSON.stringify(expressionDocument({ id, text })) })))
    // only the index and the encoder are called
    resolver = new ExpressionResolver({ index, encoder } as never)
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
        const { nodes, pageInfo } = await resolver.searchExpressions({ text: 'pont cassé', mode } as never, { first: 7, after }, {
          signal,
        } as never)
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
      const { nodes, pageInfo } = await resolver.similarExpressions(first, { first: 7, after }, { signal } as never)
      hits.push(...nodes.map(({ id }) => id))
      more = pageInfo.hasNextPage
      after = pageInfo.endCursor ?? null
    }
    expect(hits).toEqual(ids.slice(1).toSorted())
    const past = Buffer.from('[1001]').toString('base64url')
    await expect(resolver.similarExpressions(first, { first: 7, after: past }, { signal } as never)).rejects.toMatchObject({
      code: 'MALFORMED',
    })
  })
})
