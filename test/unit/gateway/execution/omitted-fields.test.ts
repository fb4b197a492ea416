import { beforeEach, expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { marketSchemas, marketSdl } from '../../../support/gateway/market.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()
const asked: Record<string, { readonly query: string; readonly representations?: unknown }[]> = { stock: [], tax: [], stalls: [] }
beforeEach(() => {
  for (const requests of Object.values(asked)) requests.length = 0
})

const recorded = (name: string, source: SubgraphSource): SubgraphSource => ({
  ...source,
  fetch: (request) => {
    asked[name]?.push({ query: request.query, representations: request.variables.representations })
    return source.fetch(request)
  },
})
const executor = createExecutor({
  supergraph: composeSupergraph(Object.entries(marketSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` }))),
  sources: Object.fromEntries(Object.entries(marketSchemas()).map(([name, schema]) => [name, recorded(name, inProcessSource({ schema }))])),
  eventTimeoutMs: 1000,
})

async function ask(selection: string, variables: Readonly<Record<string, boolean>>): Promise<unknown> {
  using context = contextFor(log)
  const declared = Object.keys(variables).map((name) => `$${name}: Boolean!`)
  const answer = await executor.execute(executor.prepare(`query (${declared.join()}) { fish { id ${selection} } }`), variables, context)
  return JSON.parse(JSON.stringify(answer))
}

/** What the subgraph that requires fields of another was told. */
const told = () => asked.tax?.flatMap(({ representations }) => representations)

it.each([
  ['with @include', 'tax @include(if: $with)', false],
  ['with @skip', 'tax @skip(if: $with)', true],
  ['within a fragment', '... @include(if: $with) { tax voices }', false],
])('what only a field %s requires is not fetched when it is left out', async (_, selection, value) => {
  expect(await ask(selection, { with: value })).toEqual({ data: { fish: { id: '1' } } })
  expect(asked.tax).toEqual([])
  expect(await ask(`${selection} plain`, { with: value })).toEqual({ data: { fish: { id: '1', plain: 5 } } })
  expect(told()).toEqual([{ __typename: 'Fish', id: '1' }])
})

it('fields beside it are told what they require themselves', async () => {
  const selection = 'label @include(if: $one) tax @skip(if: $other) taxOf(rate: 2) fits @include(if: $one)'
  expect(await ask(selection, { one: false, other: true })).toEqual({ data: { fish: { id: '1', taxOf: 20 } } })
  expect(await ask(selection, { one: true, other: false })).toEqual({
    data: { fish: { id: '1', label: 'a fish 1', tax: 1, taxOf: 20, fits: '40 3' } },
  })
  expect(told()).toEqual([
    { __typename: 'Fish', id: '1', price: 10 },
    { __typename: 'Fish', id: '1', price: 10, name: 'fish 1', size: { width: 40, weight: 3 } },
  ])
})

it('a subgraph is not asked where nothing is left of the question', async () => {
  expect(await ask('plain @include(if: $one) label @include(if: $other)', { one: false, other: false })).toEqual({
    data: { fish: { id: '1' } },
  })
  expect(asked.tax).toEqual([])
  expect(await ask('plain @include(if: $one) label @include(if: $other)', { one: true, other: false })).toEqual({
    data: { fish: { id: '1', plain: 5 } },
  })
  expect(told()).toEqual([{ __typename: 'Fish', id: '1' }])
})

it('what was asked for and did not come is not spared', async () => {
  expect(await ask('name @include(if: $with) label plain', { with: false })).toEqual({
    data: { fish: { id: '1', label: 'a fish 1', plain: 5 } },
  })
  expect(told()).toEqual([{ __typename: 'Fish', id: '1', name: 'fish 1' }])
})
