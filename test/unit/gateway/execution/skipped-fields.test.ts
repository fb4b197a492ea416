import { beforeEach, expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { marketSchemas, marketSdl } from '../../../support/gateway/market.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()
const requests: Record<string, { readonly query: string; readonly representations?: unknown }[]> = { stock: [], tax: [], stalls: [] }
beforeEach(() => {
  for (const received of Object.values(requests)) received.length = 0
})

const recorded = (name: string, source: SubgraphSource): SubgraphSource => ({
  ...source,
  fetch: (request) => {
    requests[name]?.push({ query: request.query, representations: request.variables.representations })
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

/** Returns the representations sent to the subgraph that requires fields of another. */
const representationsSent = () => requests.tax?.flatMap(({ representations }) => representations)

it.each([
  ['with @include', 'tax @include(if: $with)', false],
  ['with @skip', 'tax @skip(if: $with)', true],
  ['within a fragment', '... @include(if: $with) { tax voices }', false],
])('a requirement of a skipped field is not fetched: %s', async (_, selection, value) => {
  expect(await ask(selection, { with: value })).toEqual({ data: { fish: { id: '1' } } })
  expect(requests.tax).toEqual([])
  expect(await ask(`${selection} plain`, { with: value })).toEqual({ data: { fish: { id: '1', plain: 5 } } })
  expect(representationsSent()).toEqual([{ __typename: 'Fish', id: '1' }])
})

it('fields beside a skipped one receive their own requirements', async () => {
  const selection = 'label @include(if: $one) tax @skip(if: $other) taxOf(rate: 2) fits @include(if: $one)'
  expect(await ask(selection, { one: false, other: true })).toEqual({ data: { fish: { id: '1', taxOf: 20 } } })
  expect(await ask(selection, { one: true, other: false })).toEqual({
    data: { fish: { id: '1', label: 'a fish 1', tax: 1, taxOf: 20, fits: '40 3' } },
  })
  expect(representationsSent()).toEqual([
    { __typename: 'Fish', id: '1', price: 10 },
    { __typename: 'Fish', id: '1', price: 10, name: 'fish 1', size: { width: 40, weight: 3 } },
  ])
})

it('a subgraph receives no request when all of its fields are skipped', async () => {
  expect(await ask('plain @include(if: $one) label @include(if: $other)', { one: false, other: false })).toEqual({
    data: { fish: { id: '1' } },
  })
  expect(requests.tax).toEqual([])
  expect(await ask('plain @include(if: $one) label @include(if: $other)', { one: true, other: false })).toEqual({
    data: { fish: { id: '1', plain: 5 } },
  })
  expect(representationsSent()).toEqual([{ __typename: 'Fish', id: '1' }])
})

it('a field with a missing requirement is still requested', async () => {
  expect(await ask('name @include(if: $with) label plain', { with: false })).toEqual({
    data: { fish: { id: '1', label: 'a fish 1', plain: 5 } },
  })
  expect(representationsSent()).toEqual([{ __typename: 'Fish', id: '1', name: 'fish 1' }])
})
