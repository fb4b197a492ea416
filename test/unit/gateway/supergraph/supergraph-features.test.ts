import { isDeepStrictEqual } from 'node:util'
import { getIntrospectionQuery, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { startBareGateway } from '../../../support/gateway/bare-gateway.ts'
import { differences } from '../../../support/gateway/compared-answers.ts'
import { corpus, harbour, harbourSdl } from '../../../support/gateway/harbour.ts'
import { randomBelow, randomQuery } from '../../../support/gateway/random-query.ts'
import { contextFor, layouts, startServed } from '../../../support/gateway/town.ts'

const requestId = 'parity'
const post = async (url: string, body: unknown): Promise<string> => {
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text()
}

interface ReportedError {
  message: string
  path?: unknown
  extensions: { code: string } & Record<string, unknown>
}

/** The introspection query without directives: the bare gateway has no @defer. */
const introspection = getIntrospectionQuery().replace(/directives \{.*?args.*?\{.*?\}\s*\}/s, '')

/** Returns an answer of the bare gateway with the three intended differences of this gateway: requestId, masking, and no null without an error. */
function withIntendedDifferences(text: string): string {
  const {
    errors = [],
    data,
    extensions,
  } = JSON.parse(text) as { errors?: ReportedError[]; data?: unknown; extensions?: { valueCompletion?: ReportedError[] } }
  const masked = errors.map(({ message, extensions: reported, ...rest }) => {
    const isUnexplained = reported.code === 'DOWNSTREAM_SERVICE_ERROR'
    return {
      message: isUnexplained ? 'Internal server error' : message,
      ...rest,
      extensions: { ...reported, ...(isUnexplained ? { code: 'INTERNAL' } : {}), requestId },
    }
  })
  const missing =
    extensions?.valueCompletion?.map(({ message, path }) => ({ message, path, extensions: { code: 'INTERNAL', requestId } })) ?? []
  const all = [...masked, ...missing]
  return `${JSON.stringify({ errors: all.length > 0 ? all : undefined, data })}\n`
}

/** Returns an answer of this gateway without the entries of invalid variables, which only it reports. */
function withoutEntries(text: string): string {
  const { errors, ...rest } = JSON.parse(text) as { errors?: ReportedError[] }
  const withoutEntry = errors?.map(({ extensions: { entries: _, ...extensions }, ...error }) => ({ ...error, extensions }))
  return `${JSON.stringify({ errors: withoutEntry, ...rest })}\n`
}

describe.each(layouts)('a supergraph with every federation feature, subgraphs %s', (layout) => {
  it('is answered byte for byte like the bare gateway, except for intended differences', async () => {
    const { schemas } = harbour()
    await using ours = await startServed(layout, harbourSdl, schemas)
    await using bare = await startBareGateway(ours.supergraph, schemas, ours.log)
    let plain = 0
    for (const request of [...corpus, { query: introspection }]) {
      const expected = await post(bare.url, request)
      // the second answer comes from the caches that the first one filled
      for (let time = 0; time < 2; time += 1)
        expect(withoutEntries(await post(ours.graphql, request)), request.query).toBe(withIntendedDifferences(expected))
      if (withIntendedDifferences(expected) === expected) plain += 1
    }
    expect(plain).toBe(25)
  })

  it('names the failed element of a list, also when others needed no fetch', async () => {
    const { schemas } = harbour()
    await using ours = await startServed(layout, harbourSdl, schemas)
    const { errors } = JSON.parse(await post(ours.graphql, { query: '{ assets { ... on Barge { mustHave(fail: true) } } }' }))
    expect(errors).toMatchObject([{ path: ['assets', 2, 'mustHave'] }])
  })

  it('has the same answers to random queries', { timeout: 240_000 }, async () => {
    const { schemas } = harbour()
    await using ours = await startServed(layout, harbourSdl, schemas, {
      requestTimeoutMs: 60_000,
      limits: {
        tokens: 10_000,
        depth: 20,
        fields: 5000,
        rootFields: 100,
        aliases: 500,
        directives: 1000,
        defers: 0,
        names: 256,
        lists: 8,
        cost: 1e9,
      },
    })
    await using bare = await startBareGateway(ours.supergraph, schemas, ours.log)
    const { schema } = ours.executor
    const values = { ID: ['"f1"', '"b2"', '"LU1"', '"none"', '"p1"'], Int: ['0', '1', '3'], Boolean: ['true', 'false', '$yes', '$no'] }
    const random = randomBelow(20_260)
    let withErrors = 0
    let compared = 0
    let equal = 0
    while (compared < (layout === 'remote' ? 30 : 100)) {
      const query = randomQuery(schema, random, values)
      if (validate(schema, parse(query)).length > 0) continue
      compared += 1
      const variables = { yes: random(2) === 0, no: random(2) === 0 }
      const [actual, expected] = await Promise.all([post(ours.graphql, { query, variables }), post(bare.url, { query, variables })])
      // the bare gateway omits fields of the type of an object where a subgraph resolves the object by its interface, and fields fetched
      // together with a skipped field
      expect(
        differences(JSON.parse(expected).data, JSON.parse(actual).data, () => false),
        query,
      ).toEqual([])
      if (isDeepStrictEqual(inOrder(actual), inOrder(withIntendedDifferences(expected)))) equal += 1
      if (expected.includes('"errors"')) withErrors += 1
    }
    expect(withErrors).toBeGreaterThan(10)
    expect(equal).toBeGreaterThan(compared * 0.6)
  })
})

it('plans a query with a thousand alternatives at once', { timeout: 10_000 }, async () => {
  const { schemas } = harbour()
  await using ours = await startServed('in process', harbourSdl, schemas)
  const { executor } = ours
  // Apollo's own limit on alternatives allows seconds for each of these: together they would exceed the test timeout
  for (let round = 0; round < 4; round += 1) {
    const many = Array.from({ length: 40 }, (_, index) => `n${round}x${index}: homePort { name busy }`).join(' ')
    const result = await executor.execute(executor.prepare(`{ assets { ... on Vessel { ${many} } } }`), {}, contextFor(ours.log))
    expect(result.errors).toBeUndefined()
    const [ferry] = Array.isArray(result.data?.assets) ? result.data.assets : []
    expect(Object.keys(ferry)).toHaveLength(40)
  }
})

/**
 * Returns the data as text. Errors of concurrent fetches are sorted; the bare gateway names another element of a list than the failed
 * one when some of its elements needed no fetch.
 */
function inOrder(text: string): unknown {
  const { errors = [], data } = JSON.parse(text) as { errors?: ReportedError[]; data?: unknown }
  const withoutIndices = (path: unknown): unknown =>
    Array.isArray(path) ? path.map((step) => (typeof step === 'number' ? '@' : step)) : path
  return {
    data: JSON.stringify(data),
    errors: errors.map(({ path, ...error }) => JSON.stringify({ ...error, path: withoutIndices(path) })).sort(),
  }
}
