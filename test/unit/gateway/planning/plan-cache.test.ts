import { describe, expect, it } from 'vitest'
import { requestContext } from '../../../../foundation/http/request-context.ts'
import { anonymous } from '../../../../foundation/principal.ts'
import { createExecutor, type Executor } from '../../../../gateway/executor/executor.ts'
import type { OverrideLabels } from '../../../../gateway/planning/override-labels.ts'
import { type PlanCache, planCache } from '../../../../gateway/planning/plan-cache.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { library, librarySdl } from '../../../support/gateway/library.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()

interface Change {
  readonly shelves?: string
  readonly readers?: string
  readonly overrideLabels?: OverrideLabels
  readonly plans?: PlanCache
}
function executorWith({ shelves = librarySdl.shelves, readers = librarySdl.readers, ...more }: Change): Executor {
  const { schemas } = library({ shelves, readers })
  return createExecutor({
    supergraph: composeSupergraph(Object.entries({ shelves, readers }).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` }))),
    sources: { shelves: inProcessSource({ schema: schemas.shelves }), readers: inProcessSource({ schema: schemas.readers }) },
    eventTimeoutMs: 1000,
    ...more,
  })
}

async function dataOf(executor: Executor, text: string, requestId = 'one'): Promise<unknown> {
  const disconnected = new AbortController().signal
  using context = requestContext({ principal: anonymous, requestId, log, timeoutMs: 5000, disconnected })
  const { data, errors } = await executor.execute(executor.prepare(text), {}, context)
  expect(errors).toBeUndefined()
  return JSON.parse(JSON.stringify(data))
}

describe('plans cached from the previous supergraph', () => {
  /** Returns the number of plans that the second supergraph creates for the query. */
  const createdPlans = async (change: Change): Promise<number> => {
    const cache = planCache()
    let count = 0
    const plans: PlanCache = {
      planOf: (text, basis, make) =>
        cache.planOf(text, basis, () => {
          count += 1
          return make()
        }),
    }
    const query = '{ book(id: "2") { title stars } }'
    const answer = { book: { title: 'Book 2', stars: 2 } }
    expect(await dataOf(executorWith({ plans }), query)).toEqual(answer)
    expect(count).toBe(1)
    const second = await dataOf(executorWith({ ...change, plans }), query)
    expect(second).toMatchObject({ book: { stars: 2 } })
    return count - 1
  }
  const { shelves, readers } = librarySdl

  it('are reused when everything they depend on is unchanged', async () => {
    expect(await createdPlans({})).toBe(0)
    expect(await createdPlans({ shelves: shelves.replace('catalogue: String', 'catalogue: String  """What is new""" news: String') })).toBe(
      0,
    )
    expect(await createdPlans({ readers: readers.replace('name: String!', 'name: String!  age: Int') })).toBe(0)
  })

  it('are created again when a field, a key or a requirement has changed', async () => {
    const moved = 'stars: Int!  title: String! @override(from: "shelves")'
    expect(await createdPlans({ readers: readers.replace('stars: Int!', moved) })).toBe(1)
    expect(
      await createdPlans({
        shelves: shelves.replace('type Book @key(fields: "id")', 'type Book @key(fields: "id") @key(fields: "title")'),
      }),
    ).toBe(1)
    expect(
      await createdPlans({
        readers: readers.replace('type Book @key(fields: "id")', 'type Book @key(fields: "id", resolvable: true) @shareable'),
      }),
    ).toBe(1)
  })
})

describe('a progressive override', () => {
  const labelled = (label: string, overrideLabels: OverrideLabels = []): Executor =>
    executorWith({
      readers: librarySdl.readers.replace('stars: Int!', `stars: Int!  title: String! @override(from: "shelves", label: "${label}")`),
      overrideLabels,
    })
  const query = '{ book(id: "2") { title stars } }'
  const old = { book: { title: 'Book 2', stars: 2 } }
  const moved = { book: { title: 'Read 2', stars: 2 } }

  it('moves a field for the share of requests in its label, the same way for a repeated request id', async () => {
    expect(await dataOf(labelled('percent(0)'), query)).toEqual(old)
    expect(await dataOf(labelled('percent(100)'), query)).toEqual(moved)
    const executor = labelled('percent(25.5)')
    const ids = Array.from({ length: 400 }, (_, index) => `request-${index}`)
    const answers = await Promise.all(ids.map((id) => dataOf(executor, query, id)))
    const count = answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(moved)).length
    expect(count).toBeGreaterThan(60)
    expect(count).toBeLessThan(150)
    const again = labelled('percent(25.5)')
    expect(await Promise.all(ids.map((id) => dataOf(again, query, id)))).toEqual(answers)
  })

  it('moves a field with a custom label where a function selects the request, and does not while the function fails', async () => {
    const executor = labelled('titles', async (labels, { requestId }) => {
      if (requestId === 'broken') throw new Error('the flags cannot be read')
      return requestId === 'chosen' ? labels : ['others']
    })
    expect(await dataOf(executor, query, 'chosen')).toEqual(moved)
    expect(await dataOf(executor, query, 'another')).toEqual(old)
    expect(await dataOf(executor, query, 'broken')).toEqual(old)
  })

  it('moves a field with a custom label when it is listed', async () => {
    expect(await dataOf(labelled('titles'), query)).toEqual(old)
    expect(await dataOf(labelled('titles', ['others', 'titles']), query)).toEqual(moved)
    expect(
      await dataOf(labelled('titles', ['titles']), '{ __typename __schema { queryType { name } } book(id: "2") { title } }'),
    ).toMatchObject({
      book: { title: 'Read 2' },
    })
  })
})
