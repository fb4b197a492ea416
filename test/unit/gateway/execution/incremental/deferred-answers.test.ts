import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../../../foundation/fault.ts'
import { composeSupergraph } from '../../../../../gateway/supergraph/supergraph.ts'
import { differences, type Path } from '../../../../support/gateway/compared-answers.ts'
import { harbour, harbourSdl } from '../../../../support/gateway/harbour.ts'
import { merged, payloads } from '../../../../support/gateway/incremental-client.ts'
import { marketSchemas, marketSdl } from '../../../../support/gateway/market.ts'
import { randomBelow, randomQuery } from '../../../../support/gateway/random-query.ts'
import { contextFor, layouts, type RunningExecutor, startExecutor } from '../../../../support/gateway/town.ts'

const composed = (sdl: Readonly<Record<string, string>>): string =>
  composeSupergraph(Object.entries(sdl).map(([name, text]) => ({ name, sdl: text, url: `http://${name}` })))
const supergraph = composed(harbourSdl)

async function ask({ executor, log }: RunningExecutor, text: string, variables: Record<string, unknown> = {}) {
  using context = contextFor(log)
  return payloads(await executor.execute(executor.prepare(text), variables, context, 'in parts'))
}
async function wholly({ executor, log }: RunningExecutor, text: string, variables: Record<string, unknown> = {}) {
  using context = contextFor(log)
  return JSON.parse(JSON.stringify(await executor.execute(executor.prepare(text), variables, context)))
}

describe.each(layouts)('deferred parts, subgraphs %s', (layout) => {
  const started = () => startExecutor(layout, supergraph, harbour().schemas)

  it('follow the first result at their paths with their labels, a nested part after its parent', async () => {
    await using running = await started()
    const query = '{ vessels(first: 2) { id ... @defer(label: "a") { name homePort { name ... @defer(label: "b") { busy } } } } }'
    expect(await ask(running, query)).toEqual([
      { data: { vessels: [{ id: 'f1' }, { id: 'b2' }] }, hasNext: true },
      {
        incremental: [
          { data: { name: 'Ferry 1', homePort: { name: 'Port LU1' } }, path: ['vessels', 0], label: 'a' },
          { data: { name: 'Barge 2', homePort: { name: 'Port BE22' } }, path: ['vessels', 1], label: 'a' },
        ],
        hasNext: true,
      },
      {
        incremental: [
          { data: { busy: false }, path: ['vessels', 0, 'homePort'], label: 'b' },
          { data: { busy: true }, path: ['vessels', 1, 'homePort'], label: 'b' },
        ],
        hasNext: false,
      },
    ])
  })

  const cases: Readonly<Record<string, readonly [query: string, parts: readonly object[], variables?: Record<string, unknown>]>> = {
    'of a type alone': ['{ assets { __typename ... on Crane @defer { number } } }', [{ path: ['assets', 3], data: { number: 3 } }]],
    'of the same subgraph, without a key': [
      '{ position { latitude ... @defer { longitude } } }',
      [{ path: ['position'], data: { longitude: 2 } }],
    ],
    'at the root': ['{ level ... @defer { barge { name } } }', [{ path: [], data: { barge: { name: 'Barge 7' } } }]],
    'of a mutation’s fields': [
      'mutation { rename(id: "f1", name: "New") { name ... @defer { homePort { code } } } }',
      [{ path: ['rename'], data: { homePort: { code: 'LU1' } } }],
    ],
    'from a named fragment, under the client’s names': [
      'query ($on: Boolean!) { id: barge { name: id ...P @defer(if: $on, label: "p") } } fragment P on Barge { id: name at: homePort { code } }',
      [{ path: ['id'], label: 'p', data: { id: 'Barge 7', at: { code: 'BE22' } } }],
      { on: true },
    ],
    'not when their condition is false': ['query ($on: Boolean = false) { barge { id ... @defer(if: $on) { name } } }', []],
    'not when they are skipped': [
      'query ($out: Boolean!) { barge { id ... @defer @include(if: $out) { name } ... @skip(if: true) @defer { flag } } }',
      [],
      { out: false },
    ],
    'not of a null object': ['{ vessel(id: "none") { id ... @defer { name } } }', []],
    'of a type whose fragment is within one of its interface': [
      '{ barge { id ... on Vessel { ... on Barge @defer { tonnes } ... on Ferry @defer { seats } } } }',
      [{ path: ['barge'], data: { tonnes: 10.5 } }],
    ],
  }
  it.each(Object.entries(cases))('%s', async (_, [query, parts, variables]) => {
    await using running = await started()
    const results = await ask(running, query, variables)
    expect(results.flatMap(({ incremental = [] }) => incremental)).toEqual(parts)
    expect(results.at(-1)?.hasNext).toBe(parts.length > 0 ? false : undefined)
    expect(merged(results).data).toEqual((await wholly(running, query, variables)).data)
  })

  it('have their own errors, and a null does not propagate out of them', async () => {
    await using running = await started()
    const query = '{ vessels(first: 2) { id ... @defer { flag must: mustHave(fail: true) } } broken { id } }'
    const [first, later, ...others] = await ask(running, query)
    expect(first).toMatchObject({
      data: { vessels: [{ id: 'f1' }, { id: 'b2' }], broken: null },
      errors: [{ path: ['broken'] }],
      hasNext: true,
    })
    expect(later).toEqual({
      incremental: [
        { path: ['vessels', 0], data: { flag: 'LU', must: 'of f1' } },
        { path: ['vessels', 1], data: null, errors: [expect.objectContaining({ path: ['vessels', 1, 'must'] })] },
      ],
      hasNext: false,
    })
    expect(others).toEqual([])
  })

  it('have the errors of fields fetched with the first result', async () => {
    await using running = await started()
    const [first, later] = await ask(running, '{ level ... @defer { broken { id } } }')
    expect(first).toEqual({ data: { level: 'LOW' }, hasNext: true })
    expect(later?.incremental).toMatchObject([
      { path: [], data: { broken: null }, errors: [{ path: ['broken'], extensions: { code: 'INTERNAL' } }] },
    ])
  })

  it('follow a fetch that was split because of contradicting requirements', async () => {
    await using running = await startExecutor(layout, composed(marketSdl), marketSchemas())
    expect(await ask(running, '{ fish { dear tax soldAt { name ... @defer { open } } } }')).toEqual([
      { data: { fish: { dear: false, tax: 1, soldAt: { name: 'Seven' } } }, hasNext: true },
      { incremental: [{ path: ['fish', 'soldAt'], data: { open: true } }], hasNext: false },
    ])
  })

  it('are all in one result for a client that wants one', async () => {
    await using running = await started()
    const { data } = await wholly(running, '{ barge { id ... @defer(label: "a") { name ... @defer { tonnes } } } }')
    expect(data).toEqual({ barge: { id: 'b7', name: 'Barge 7', tonnes: 10.5 } })
  })
})

it('are refused where deferring is not allowed, with a message for invalid labels', async () => {
  await using running = await startExecutor('in process', supergraph, harbour().schemas)
  const refusal = (text: string): string => {
    try {
      running.executor.prepare(text)
      return ''
    } catch (error) {
      return messageOf(error)
    }
  }
  expect(refusal('subscription { tides { latitude ...P } } fragment P on Position { ... @defer { longitude } }')).toBe(
    '@defer cannot be used in a subscription.',
  )
  expect(refusal('mutation { ... @defer { refit(id: "f1") { id } } }')).toBe('@defer cannot be used at the root of a mutation.')
  expect(refusal('query ($l: String!) { barge { ... @defer(label: $l) { id } } }')).toBe('The label of @defer must be a string literal.')
  expect(refusal('{ barge { ... @defer(label: "a") { id } ... @defer(label: "a") { name } } }')).toBe(
    'The labels of @defer must differ from each other.',
  )
  expect(refusal('{ vessels @stream(initialCount: 1) { id } }')).toBe('Unknown directive "@stream".')
})

it('appear in the schema as the directive @defer', async () => {
  await using running = await startExecutor('in process', supergraph, harbour().schemas)
  const { data } = await wholly(running, '{ __schema { directives { name locations args { name } } } }')
  expect(data.__schema.directives).toContainEqual({
    name: 'defer',
    locations: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'],
    args: [{ name: 'label' }, { name: 'if' }],
  })
})

it('keep the type of an object beside data that a subgraph resolves by its interface', async () => {
  await using running = await startExecutor('in process', supergraph, harbour().schemas)
  const query = '{ barge { ... on Vessel { logbook(last: 1) { text } ... on Barge { homePort { code } __typename } } } }'
  expect(await wholly(running, query)).toEqual({
    data: { barge: { logbook: [{ text: 'b7 0' }], homePort: { code: 'BE22' }, __typename: 'Barge' } },
  })
})

it('at random positions change only the order of the data', { timeout: 60_000 }, async () => {
  await using running = await startExecutor('in process', supergraph, harbour().schemas)
  const random = randomBelow(4_242)
  const values = { ID: ['"f1"', '"b2"', '"LU1"', '"none"', '"p1"'], Int: ['0', '1', '3'], Boolean: ['true', 'false'] }
  let compared = 0
  let parts = 0
  while (compared < 20) {
    const plain = randomQuery(running.executor.schema, random, values, 4)
    const deferring = plain.replace(/\.\.\.(?: on \w+| @include\(if: \$yes\))(?= \{)/g, (text) =>
      random(2) === 0 ? `${text} @defer` : text,
    )
    if (deferring === plain) continue
    compared += 1
    const { data } = await wholly(running, plain)
    const results = await ask(running, deferring)
    const assembled = merged(results)
    parts += results.flatMap(({ incremental = [] }) => incremental).length
    const isReported = (place: Path): boolean =>
      assembled.errors.some(({ path = [] }) => place.every((step, index) => path[index] === step))
    // an error makes null only what is around it in its own part
    expect(differences(data, assembled.data, isReported), deferring).toEqual([])
  }
  expect(parts).toBeGreaterThan(compared)
})
