import { describe, expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { contextFor, layouts, recordedLog, sourcesOf } from '../../../support/gateway/town.ts'
import { tripsSchemas, tripsSdl } from '../../../support/gateway/trips.ts'

const supergraph = composeSupergraph(Object.entries(tripsSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
const { log } = recordedLog()

describe.each(layouts)('arguments from @context, subgraphs %s', (layout) => {
  /** Returns the result of a client, and the number of requests to each subgraph. */
  async function ask(query: string, variables: Readonly<Record<string, unknown>> = {}) {
    const { byName, stop } = await sourcesOf(layout, tripsSchemas(), log)
    await using _ = { [Symbol.asyncDispose]: stop }
    const requests: Record<string, number> = {}
    const sources = Object.fromEntries(
      Object.entries(byName).map(([name, source]) => [
        name,
        {
          ...source,
          fetch: (request: Parameters<typeof source.fetch>[0]) => {
            requests[name] = (requests[name] ?? 0) + 1
            return source.fetch(request)
          },
        },
      ]),
    )
    const executor = createExecutor({ supergraph, sources, eventTimeoutMs: 2000 })
    using context = contextFor(log)
    const operation = executor.prepare(query)
    if (operation.kind !== 'subscription')
      return { ...JSON.parse(JSON.stringify(await executor.execute(operation, variables, context))), requests }
    const events = await executor.subscribe(operation, variables, context)
    if (!(Symbol.asyncIterator in events)) throw new Error(JSON.stringify(events))
    const received: unknown[] = []
    for await (const event of events) received.push(JSON.parse(JSON.stringify(event.data)))
    return { received, requests }
  }

  it('come from the nearest object with the context, are null if it has none, and equal ones share a request', async () => {
    expect(await ask('{ trips { days { price } } }')).toEqual({
      data: {
        trips: [
          { days: [{ price: '1 EUR on a1' }, { price: '1 EUR on a2' }] },
          { days: [{ price: '1 USD on b1' }, { price: '1 USD on b2' }] },
          { days: [{ price: '1 EUR on c1' }, { price: '1 EUR on c2' }] },
          { days: [{ price: '1 null on d1' }, { price: '1 null on d2' }] },
        ],
      },
      requests: { trips: 4 },
    })
  })

  it.each([
    [
      'taken from each type that has the context',
      '{ either { ... on Trip { days { price } } ... on Tour { days { price } } } }',
      {
        either: [
          { days: [{ price: '1 EUR on a1' }, { price: '1 EUR on a2' }] },
          { days: [{ price: '1 CHF on t1' }, { price: '1 CHF on t2' }] },
        ],
      },
    ],
    [
      'taken from the root, beside arguments of the client',
      'query ($year: Int!) { season { name(year: $year) } }',
      { season: { name: 'summer 7 in the north' } },
    ],
    [
      'taken from fields of other subgraphs',
      '{ trips { hotel { greeting } } }',
      { trips: ['a', 'b', 'c', 'd'].map((id) => ({ hotel: { greeting: `h${id}: mood ${id}, code ${id}` } })) },
    ],
  ])('are %s', async (_, query, data) => {
    expect(await ask(query, { year: 7 })).toMatchObject({ data })
  })

  it('apply within nested lists', async () => {
    const { data } = await ask('{ trips { weeks { price } } }')
    expect(data.trips[1]).toEqual({ weeks: [[{ price: '1 USD on b1' }, { price: '1 USD on b2' }], [{ price: '1 USD on b3' }]] })
  })

  it('are independent of the names of fields and variables of a client', async () => {
    const { data } = await ask('{ trips { payment: note days { id price } } }')
    expect(data.trips[0]).toEqual({
      payment: 'note a',
      days: [
        { id: 'a1', price: '1 EUR on a1' },
        { id: 'a2', price: '1 EUR on a2' },
      ],
    })
    await expect(ask('{ trips { days { price(currency: "XXX") } } }')).rejects.toThrow('Unknown argument "currency"')
    const named = await ask('query ($contextualArgument_3_0: Int) { trips { days { price(units: $contextualArgument_3_0) } } }', {
      contextualArgument_3_0: 9,
    })
    expect(named.data.trips[0]).toEqual({ days: [{ price: '9 EUR on a1' }, { price: '9 EUR on a2' }] })
  })

  it('apply to the events of a subscription', async () => {
    expect(await ask('subscription { left { days { price } hotel { greeting } } }')).toMatchObject({
      received: [
        { left: { days: [{ price: '1 EUR on a1' }, { price: '1 EUR on a2' }], hotel: { greeting: 'ha: mood a, code a' } } },
        { left: { days: [{ price: '1 USD on b1' }, { price: '1 USD on b2' }], hotel: { greeting: 'hb: mood b, code b' } } },
      ],
    })
  })

  it('are refused with BAD_REQUEST when the planner finds no object with the context', async () => {
    expect(await ask('{ journeys { days { price } } }')).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] })
  })
})
