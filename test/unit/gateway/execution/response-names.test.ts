import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { harbour, harbourSdl } from '../../../support/gateway/harbour.ts'
import { marketSchemas, marketSdl } from '../../../support/gateway/market.ts'
import { randomBelow, randomQuery } from '../../../support/gateway/random-query.ts'
import { contextFor, layouts, type RunningExecutor, startExecutor } from '../../../support/gateway/town.ts'

const composed = (sdl: Readonly<Record<string, string>>): string =>
  composeSupergraph(Object.entries(sdl).map(([name, text]) => ({ name, sdl: text, url: `http://${name}` })))

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[]; readonly extensions: object }[]
}

async function ask({ executor, log }: RunningExecutor, text: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  using context = contextFor(log)
  return JSON.parse(JSON.stringify(await executor.execute(executor.prepare(text), variables, context)))
}

describe.each(layouts)('clients choose response names and arguments, subgraphs %s', (layout) => {
  const cases: Readonly<Record<string, readonly [query: string, data: object]>> = {
    'an alias does not replace a required field': [
      '{ fish { name: echo(text: "FORGED") label } }',
      { fish: { name: 'FORGED', label: 'a fish 1' } },
    ],
    'an alias does not replace a key': ['{ fish { id: owner plain } }', { fish: { id: 'owner of 1', plain: 5 } }],
    'an alias does not replace a type name': [
      '{ goods { __typename: id ... on Fish { plain } } }',
      { goods: [{ __typename: '1', plain: 5 }] },
    ],
    'an alias does not clash with a name of the planner': [
      '{ fish { price__alias_0: name price(currency: "EUR") plain } }',
      { fish: { price__alias_0: 'fish 1', price: 10, plain: 5 } },
    ],
    'an alias may look like an internal name': [
      '{ fish { client_id: name id: owner required0_price: name client_: id plain dear } }',
      { fish: { client_id: 'fish 1', id: 'owner of 1', required0_price: 'fish 1', client_: '1', plain: 5, dear: false } },
    ],
    'nested requirements keep their names': [
      '{ fish { size { weight: width(unit: "mm") width(unit: "mm") } fits } }',
      { fish: { size: { weight: 400, width: 400 }, fits: '40 3' } },
    ],
    'equal fields of several fragments are merged': [
      '{ fish { ... on Goods { id: price(currency: "USD") } ...F plain } } fragment F on Fish { id: price(currency: "USD") }',
      { fish: { id: 100, plain: 5 } },
    ],
    'a fragment on the type of an object applies within one on its interface': [
      '{ fish { ... on Goods { id ... on Fish { name } } } }',
      { fish: { id: '1', name: 'fish 1' } },
    ],
    'a field keeps its arguments beside a requirement with other arguments': [
      '{ fish { comments(limit: 1) { text } voices loud } }',
      { fish: { comments: [{ text: 'c0' }], voices: 'c0 c1 c2', loud: '9' } },
    ],
    'requirements of one field with different arguments are distinct': [
      '{ fishes { dear tax taxOf(rate: 2) price(currency: "EUR") plain } }',
      {
        fishes: [
          { dear: false, tax: 1, taxOf: 20, price: 10, plain: 5 },
          { dear: true, tax: 2, taxOf: 40, price: 20, plain: 5 },
          { dear: false, tax: null, taxOf: 0, price: null, plain: 5 },
        ],
      },
    ],
    'a resolvable key is chosen': ['{ stall { open } }', { stall: { open: true } }],
    'introspection fields may be beside others': [
      '{ id: __typename ...S fish { plain } } fragment S on Query { type: __type(name: "Fish") { name isOneOf } }',
      { id: 'Query', type: { name: 'Fish', isOneOf: null }, fish: { plain: 5 } },
    ],
  }
  it.each(Object.entries(cases))('%s', async (_, [query, data]) => {
    await using running = await startExecutor(layout, composed(marketSdl), marketSchemas())
    const answer = await ask(running, query)
    expect(answer).toEqual({ data })
    expect(JSON.stringify(answer.data)).toBe(JSON.stringify(data))
  })

  it('variables reach both parts of a split fetch', async () => {
    await using running = await startExecutor(layout, composed(marketSdl), marketSchemas())
    const query = 'query ($rate: Float!, $with: Boolean!) { fish { dear taxOf(rate: $rate) tax @include(if: $with) } }'
    expect(await ask(running, query, { rate: 3, with: true })).toEqual({ data: { fish: { dear: false, taxOf: 30, tax: 1 } } })
    expect(await ask(running, query, { rate: 3, with: false })).toEqual({ data: { fish: { dear: false, taxOf: 30 } } })
  })

  it('events of a subscription are correct too', async () => {
    await using running = await startExecutor(layout, composed(marketSdl), marketSchemas())
    const { executor, log } = running
    using context = contextFor(log)
    const query = 'subscription { id: sold { name: owner id: price(currency: "USD") label tax dear } }'
    const events = await executor.subscribe(executor.prepare(query), {}, context)
    if (!(Symbol.asyncIterator in events)) throw new Error(JSON.stringify(events))
    const received: unknown[] = []
    for await (const { data, errors } of events) received.push(errors ?? data)
    expect(JSON.parse(JSON.stringify(received))).toEqual([
      { id: { name: 'owner of 1', id: 100, label: 'a fish 1', tax: 1, dear: false } },
      { id: { name: 'owner of 2', id: 200, label: 'a fish 2', tax: 2, dear: true } },
    ])
  })

  it('a field that no subgraph can resolve is an error, and error paths have the names of the client', async () => {
    await using running = await startExecutor(layout, composed(marketSdl), marketSchemas())
    const refused = { errors: [{ message: 'No subgraph can resolve the operation', extensions: { code: 'BAD_REQUEST' } }] }
    expect(await ask(running, '{ spirit: ghost { colour } }')).toMatchObject(refused)
    expect(await ask(running, '{ shade { colour } }')).toEqual({ data: { shade: { colour: 'grey' } } })
    const { schemas } = harbour()
    await using other = await startExecutor(layout, composed(harbourSdl), schemas)
    const { errors } = await ask(other, '{ name: assets { ... on Barge { id: mustHave(fail: true) } } }')
    expect(errors).toMatchObject([{ path: ['name', 2, 'id'] }])
  })
})

it('random aliases change only their own names', { timeout: 240_000 }, async () => {
  const { schemas } = harbour()
  const supergraph = composed(harbourSdl)
  await using running = await startExecutor('in process', supergraph, schemas)
  const { schema } = running.executor
  const names = ['id', 'name', 'code', 'port', 'number', '__typename', 'country', 'flag', 'berths', 'tonnes', 'name__alias_0', 'client_id']
  const values = { ID: ['"f1"', '"b2"', '"LU1"', '"none"', '"p1"'], Int: ['0', '1', '3'], Boolean: ['true', 'false'] }
  const random = randomBelow(7_341)
  let compared = 0
  let renamed = 0
  while (compared < 150) {
    const plain = randomQuery(schema, random, values)
    const forged = new Map<string, string>()
    const query = plain.replace(/\b(a\d+): /g, (text, alias: string) => {
      if (random(2) === 0) return text
      const name = names[random(names.length)] ?? ''
      forged.set(alias, name)
      return `${name}: `
    })
    if (
      forged.size === 0 ||
      /\b(\w+): \1\b/.test(query) ||
      validate(schema, parse(plain)).length > 0 ||
      validate(schema, parse(query)).length > 0
    )
      continue
    compared += 1
    renamed += forged.size
    const [expected, got] = [await ask(running, plain), await ask(running, query)]
    expect(inOrder(got, new Map()), query).toEqual(inOrder(expected, forged))
  }
  expect(renamed).toBeGreaterThan(150)
})

/** Returns an answer under other response names; errors of concurrent fetches are sorted. */
function inOrder({ data, errors = [] }: Answer, names: ReadonlyMap<string, string>): unknown {
  const nameOf = (name: string): string => names.get(name) ?? name
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value !== 'object' || value === null) return value
    return Object.entries(value).map(([name, member]) => [nameOf(name), renamed(member)])
  }
  const sorted = errors.map(({ path = [], extensions }) =>
    JSON.stringify([path.map((step) => (typeof step === 'string' ? nameOf(step) : step)), (extensions as { code: string }).code]),
  )
  return { data: renamed(data), errors: sorted.sort() }
}
