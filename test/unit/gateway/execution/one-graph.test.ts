import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { asOneGraph, fleetSchemas, fleetSdl } from '../../../support/gateway/fleet.ts'
import { randomBelow, randomQuery } from '../../../support/gateway/random-query.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()
const requests: { readonly subgraph: string; readonly query: string; readonly representations: unknown }[] = []
const recorded = (subgraph: string, source: SubgraphSource): SubgraphSource => ({
  ...source,
  fetch: (request) => {
    requests.push({ subgraph, query: request.query, representations: request.variables.representations })
    return source.fetch(request)
  },
})
const executor = createExecutor({
  supergraph: composeSupergraph(Object.entries(fleetSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` }))),
  sources: Object.fromEntries(Object.entries(fleetSchemas()).map(([name, schema]) => [name, recorded(name, inProcessSource({ schema }))])),
  eventTimeoutMs: 1000,
})
const oneGraph = asOneGraph(executor.schema)

async function ask(text: string, variables: Record<string, unknown> = {}): Promise<{ data?: unknown; errors?: unknown }> {
  using context = contextFor(log)
  requests.length = 0
  return JSON.parse(JSON.stringify(await executor.execute(executor.prepare(text), variables, context)))
}

describe('a federated graph answers like a single graph', () => {
  it.each([
    ['where one type of an interface requires a field that the interface lacks', '{ vehicles { note ... on Car { plate } } }'],
    ['where one type of an @interfaceObject requires a field', '{ vehicles { ... on Boat { inEuro } risk premium } }'],
    [
      'where each type of an @interfaceObject requires another field',
      '{ vehicles { ... on Boat { inEuro } ... on Car { inPound risk } } }',
    ],
    ['where one field is required at two places with other arguments', '{ vehicles { ... on Car { trailer } ... on Boat { plate } } }'],
    ['where only some members of a union are selected', '{ mixed { ... on Car { inPound } ... on Depot { firstInEuro } } }'],
    ['where the planner fails on its own alternatives', '{ depot(id: "d1") { vehicles { x: inEuro y: inEuro z: inEuro policy } } }'],
  ])('%s', async (_, query) => {
    expect(await ask(query)).toEqual(JSON.parse(JSON.stringify(await oneGraph(query, {}))))
  })

  it.each([
    [
      'all fields of an object are skipped',
      'query ($yes: Boolean!, $no: Boolean!) { vehicles @include(if: $yes) { id @include(if: $no) } }',
    ],
    [
      'all fields of an object in a fragment are skipped',
      'query ($yes: Boolean!, $no: Boolean!) { depot(id: "d1") @skip(if: $no) { ...F } } fragment F on Depot { label @skip(if: $yes) }',
    ],
    [
      'one of two fields with requirements is skipped',
      'query ($yes: Boolean!, $no: Boolean!) { vehicles { ... on Car { plate @include(if: $no) trailer } ... on Boat @skip(if: $no) { plate inEuro @skip(if: $yes) } } }',
    ],
  ])('where %s', async (_, query) => {
    const variables = { yes: true, no: false }
    expect(await ask(query, variables)).toEqual(JSON.parse(JSON.stringify(await oneGraph(query, variables))))
  })

  it('with any names of variables', async () => {
    const query = `query ($representations: String, $contextualArgument_1_0: ID!) {
      depot(id: $contextualArgument_1_0) { bays { sign } label first { cost(currency: $representations) inEuro } }
    }`
    const variables = { representations: 'GBP', contextualArgument_1_0: 'd1' }
    expect(await ask(query, variables)).toEqual(JSON.parse(JSON.stringify(await oneGraph(query, variables))))
  })

  it('and requests from a subgraph only fields that it can resolve for an object', async () => {
    await ask('{ vehicles { ... on Boat { inEuro } ... on Car { risk } } }')
    expect(requests.filter(({ subgraph }) => subgraph === 'prices')).toEqual([
      expect.objectContaining({
        query: expect.not.stringContaining('inEuro'),
        representations: [
          { __typename: 'Vehicle', id: 'c1' },
          { __typename: 'Vehicle', id: 'c2' },
        ],
      }),
      expect.objectContaining({ representations: [{ __typename: 'Vehicle', id: 'b1', cost: 60 }] }),
    ])
    const query = 'query ($no: Boolean!) { vehicles { depot { city } ... on Boat { risk @skip(if: $no) town } } }'
    await ask(query, { no: false })
    expect(requests.flatMap(({ subgraph, representations }) => (subgraph === 'risks' ? representations : []))).toEqual([
      { __typename: 'Vehicle', id: 'b1', depot: { city: 'Thiès' } },
    ])
  })

  it('for random queries', { timeout: 240_000 }, async () => {
    const values = { ID: ['"c1"', '"b1"', '"d1"', '"none"'], String: ['"USD"', '"EUR"', '"m"', '"cm"'] }
    const random = randomBelow(24_091)
    let compared = 0
    while (compared < 60) {
      const query = randomQuery(executor.schema, random, values, 3)
      if (validate(executor.schema, parse(query)).length > 0) continue
      compared += 1
      const variables = { yes: random(2) === 0, no: random(2) === 0 }
      expect(await ask(query, variables), query).toEqual(JSON.parse(JSON.stringify(await oneGraph(query, variables))))
    }
  })
})

describe('deferred parts', () => {
  it('arrive with the first result if the operation cannot be planned in parts', async () => {
    using context = contextFor(log)
    const query = '{ depot(id: "d1") { city ... @defer { ... on Depot @defer { bays { sign } } vehicles { id } } } }'
    const answer = await executor.execute(executor.prepare(query), {}, context, 'in parts')
    const parts: unknown[] = []
    for await (const batch of answer.later?.parts ?? []) parts.push(...batch.parts.map(({ data, errors }) => errors ?? data))
    const bays = [{ sign: '1 Dakar' }, { sign: '2 Dakar' }]
    expect(JSON.parse(JSON.stringify([answer.data, ...parts]))).toEqual([
      { depot: { city: 'Dakar', bays, vehicles: [{ id: 'c1' }, { id: 'b1' }] } },
    ])
  })
})
