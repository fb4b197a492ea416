import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { postExpression } from '../support/clients/post-expression.ts'
import type { System } from '../support/processes/platform.ts'
import { setups, startSystem } from '../support/processes/start-system.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // JSON of any shape: each expectation states its part of it
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/** Count of entity cache hits or misses in all gateways of a system. */
async function cachedEntities({ processes }: System, outcome: 'hit' | 'miss'): Promise<number> {
  const pages = processes.flatMap(({ output }) => /metrics\s+(http\S+)/.exec(output())?.[1] ?? [])
  const texts = await Promise.all(pages.map(async (url) => (await fetch(url, { signal: AbortSignal.timeout(60_000) })).text()))
  const counted = texts.join('\n').matchAll(/^civigraph_gateway_cached_entities_total\{(.*)\} (\d+)$/gm)
  return [...counted].filter(([, labels]) => labels?.includes(`"${outcome}"`)).reduce((sum, [, , count]) => sum + Number(count), 0)
}

/** The roll-ups lag at most a second; test machines are busy. */
const soon = <Value>(find: () => Promise<Value>) => expect.poll(find, { timeout: 60_000, interval: 50 })

describe.each(setups())('the exploration backend, $name', ({ layout, engines }) => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({
      layout,
      engines,
      components: ['exploration', 'classification', 'administration'],
      env: { ENTITY_CACHE: 'on' },
    })
  })
  afterAll(() => system?.stop())

  const request = async (url: string, options: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(60_000) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
  }
  const get = (path: string, headers: Record<string, string> = {}) => request(`${system.rest.exploration}${path}`, { headers })
  const post = (url: string, body: object, headers: Record<string, string> = {}) =>
    request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const query = async (text: string, variables: object = {}, headers: Record<string, string> = {}) =>
    (await post(system.graphqlUrl, { query: text, variables }, headers)).body
  const submit = async (expression: object, headers: Record<string, string> = {}): Promise<string> => {
    const { status, body } = await postExpression(system, expression, headers)
    expect(status).toBe(201)
    return body.id
  }
  const service = () => ({ 'x-service-api-key': system.apiKey })

  it('includes a new expression in its figures, domains and on the map', async () => {
    const before = (await get('/api/v1/stats')).body.expressions.total
    const expression = { text: 'Le pont de Saint-Louis est fermé, une honte', location: { lat: 16.03, lon: -16.5 } }
    const id = await submit({ ...expression, domain_hint: 'transport', author_ref: 'x' }, service())
    // only a service can name the author
    await submit({ text: 'Le courant est coupé', domain_hint: 'energy', author_ref: 'x' })
    await soon(async () => (await get('/api/v1/stats')).body.expressions.total).toBe(before + 2)
    const stats = (await get('/api/v1/stats?domain=transport')).body
    expect(stats).toMatchObject({
      expressions: { total: 1, today: 1, last_7d: 1, by_lang: { fr: 1 } },
      sentiment: { negative: 1, score: -1, history: [{ expressions: 1, negative: 1 }] },
      participants: 1,
      domains: { total: 14, active: 1 },
    })
    expect((await get('/api/v1/stats?domain=energy')).body).toMatchObject({ expressions: { total: 1 }, participants: 0 })
    const map = await get('/api/v1/map?bbox=-17,16,-16,17&zoom=9')
    expect(map.headers.get('content-type')).toBe('application/geo+json')
    expect(map.body.features).toMatchObject([
      { geometry: { coordinates: [-16.5, 16.03] }, properties: { cluster: false, id, domain: 'transport', sentiment: 'negative' } },
    ])
    expect(map.body).toMatchObject({ zoom: 9, requested_zoom: 9, attribution: expect.stringContaining('GeoNames') })
    expect(map.body.total).toBe(1 + map.body.unmapped)
    const { domains, version } = (await get('/api/v1/domains?lang=fr')).body
    expect(domains).toHaveLength(14)
    const transport = domains.find((domain: { id: string }) => domain.id === 'transport')
    expect(transport).toMatchObject({
      label: { fr: 'Transports et routes' },
      depth: 0,
      stats: { expressions: 1, participants: 1, last_7d: 1, trend: 1 },
    })
    expect(version).toMatch(/^\d+-\d+-\d{8}$/)
  })

  // the worker processes of the other layouts add no demonstration data
  if (engines === 'embedded' && layout === 'split') return

  it('finds words in map, figures, domains, lists and exports, with every other filter', async () => {
    const text = 'Le zébu du voisin bloque la « grande avenue », près du marché'
    const location = { lat: 13.5, lon: 2.1 }
    const id = await submit({ text, location, domain_hint: 'transport' })
    const other = await submit({ text: 'Un zébu dans l’avenue, grande surprise', domain_hint: 'environment-waste' })
    const found = async (q: string) => (await get(`/api/v1/stats?${new URLSearchParams({ q })}`)).body.expressions.total
    await soon(() => found('ZEBU')).toBe(2)
    await soon(async () => (await get('/api/v1/stats?domain=environment-waste')).body.expressions.total).toBe(1)
    expect(await found('zébu "grande avenue"')).toBe(1)
    const filter = new URLSearchParams({ q: 'zebu', domain: 'transport', bbox: '2,13,3,14' })
    const map = await get(`/api/v1/map?${filter}`)
    expect([map.headers.get('cache-control'), map.headers.get('etag')]).toEqual(['no-store', null])
    expect(map.body).toMatchObject({ total: 1, unmapped: 0, features: [{ properties: { id, domain: 'transport' } }] })
    expect(Date.now() - Date.parse(map.body.generated_at)).toBeLessThan(60_000)
    const domains = (await get('/api/v1/domains?q=zebu')).body.domains as { id: string; stats: { expressions: number; share: number } }[]
    expect(
      domains.filter(({ stats }) => stats.expressions > 0).map(({ id: domain, stats }) => [domain, stats.expressions, stats.share]),
    ).toEqual([
      ['transport', 1, 0.5],
      ['environment-waste', 1, 0.5],
    ])
    const listed = await query(
      'query ($filter: ExpressionFilterInput) { expressions(filter: $filter) { totalCount nodes { id } } domains(q: "zebu") { domains { id statistics { expressions } } } all: domains { domains { statistics { expressions } } } }',
      { filter: { q: 'zebu' } },
    )
    expect(listed.data.expressions).toEqual({ totalCount: 2, nodes: [{ id: other }, { id }] })
    const sumOf = (list: { statistics: { expressions: number } }[]) => list.reduce((sum, { statistics }) => sum + statistics.expressions, 0)
    expect(sumOf(listed.data.domains.domains)).toBe(2)
    expect(sumOf(listed.data.all.domains)).toBeGreaterThan(2)
    const exported = await fetch(`${system.rest.classification}/api/v1/expressions?${filter}&format=ndjson`)
    expect(JSON.parse(await exported.text())).toMatchObject({ id, text, domain: 'transport', ...location })
    for (const q of ['le la', '"zebu', 'x'.repeat(10_000)])
      for (const path of ['map', 'stats', 'domains'])
        expect([(await get(`/api/v1/${path}?${new URLSearchParams({ q })}`)).status, path]).toEqual([422, path])
  })

  it('counts one changeable vote per voter, identified by a service', async () => {
    const id = await submit({ text: 'The library should open on Sundays', domain_hint: 'culture-sport-youth' })
    const mutation = `mutation ($input: CastVoteInput!) { castVote(input: $input) { value expression { id text votes { total agree disagree pass } } } }`
    const vote = (value: string, headers: Record<string, string>, voterRef?: string) =>
      query(mutation, { input: { expressionId: id, value, voterRef } }, headers)
    expect((await vote('AGREE', {})).errors[0].extensions.code).toBe('UNAUTHENTICATED')
    expect((await vote('AGREE', service())).errors[0].extensions.code).toBe('BAD_USER_INPUT')
    // at once, while the expression may still be in flight
    expect((await vote('AGREE', service(), 'one')).data.castVote).toMatchObject({
      value: 'AGREE',
      expression: { id, votes: { total: 1, agree: 1 } },
    })
    await soon(async () => (await get('/api/v1/stats?domain=culture-sport-youth')).body.expressions.total).toBe(1)
    await vote('PASS', service(), 'one')
    await vote('DISAGREE', service(), 'two')
    if (engines === 'embedded') {
      const { super_admin: account } = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8'))
      const { access_token } = (await post(`${system.rest.administration}/auth/login`, account)).body
      const bearer = { authorization: `Bearer ${access_token}` }
      expect((await vote('AGREE', bearer, 'one')).errors[0].extensions.code).toBe('FORBIDDEN')
      const mine = async (headers: Record<string, string>) =>
        (await query('query ($id: ID!) { expression(id: $id) { myVote } }', { id }, headers)).data.expression.myVote
      expect(await mine(bearer)).toBeNull()
      const client = createClient({ url: system.graphqlUrl.replace('http', 'ws'), webSocketImpl: WebSocket })
      const events = client.iterate({
        query:
          'subscription ($ids: [ID!], $after: Int) { votesChanged(expressionIds: $ids, after: $after) { kind expression { id myVote votes { total } } } }',
        variables: { ids: [id], after: 0 },
      })
      expect((await vote('DISAGREE', bearer)).data.castVote.expression.votes).toEqual({ total: 3, agree: 0, disagree: 2, pass: 1 })
      for await (const { data, errors } of events) {
        expect(errors).toBeUndefined()
        expect(data).toMatchObject({ votesChanged: { kind: 'CHANGED', expression: { id, myVote: null } } })
        if (
          isDeepStrictEqual(
            z.looseObject({ votesChanged: z.looseObject({ expression: z.unknown() }) }).parse(data).votesChanged.expression,
            { id, myVote: null, votes: { total: 3 } },
          )
        )
          break
      }
      await client.dispose()
      expect([await mine(bearer), await mine({}), await mine(service())]).toEqual(['DISAGREE', null, null])
    } else await vote('DISAGREE', service(), 'three')
    await soon(async () => (await get('/api/v1/stats?domain=culture-sport-youth')).body.votes).toEqual({
      total: 3,
      agree: 0,
      disagree: 2,
      pass: 1,
    })
    expect((await get('/api/v1/stats?domain=culture-sport-youth')).body.participants).toBe(3)
    const unknown = await query(
      mutation,
      { input: { expressionId: '00000000-0000-4000-8000-000000000000', value: 'AGREE', voterRef: 'x' } },
      service(),
    )
    expect(unknown.errors[0].extensions.code).toBe('NOT_FOUND')
  })

  it('counts anonymous votes separately from all other figures, and limits the voters of a network per day', async () => {
    const id = await submit({
      text: 'The fields along the river need a canal',
      domain_hint: 'agriculture-food',
      location: { lat: 61, lon: 99 },
    })
    await query(
      'mutation ($input: CastVoteInput!) { castVote(input: $input) { value } }',
      {
        input: { expressionId: id, value: 'AGREE', voterRef: 'farmer' },
      },
      service(),
    )
    const stats = async () => (await get('/api/v1/stats?domain=agriculture-food')).body
    await soon(async () => (await stats()).votes.total).toBe(1)
    const map = '/api/v1/map?bbox=98,60,100,62&zoom=12'
    const etag = (await get(map)).headers.get('etag') ?? ''
    const mutation = `mutation ($input: CastPublicVoteInput!) {
      castPublicVote(input: $input) { pass passExpiresAt expression { votes { total agree unverified { total agree disagree pass } } } }
    }`
    const vote = (value: string, pass?: string, expressionId = id) => query(mutation, { input: { expressionId, value, pass } })
    const { castPublicVote: first } = (await vote('DISAGREE')).data
    expect(first.expression.votes).toEqual({ total: 1, agree: 1, unverified: { total: 1, agree: 0, disagree: 1, pass: 0 } })
    const again = (await Promise.all(['AGREE', 'PASS', 'AGREE'].map((value) => vote(value, first.pass)))).at(-1)
    expect(again?.data.castPublicVote).toMatchObject({ pass: first.pass, passExpiresAt: first.passExpiresAt })
    expect((await vote('PASS', first.pass)).data.castPublicVote.expression.votes.unverified).toEqual({
      total: 1,
      agree: 0,
      disagree: 0,
      pass: 1,
    })
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => vote('DISAGREE')))
    const refused = outcomes.filter(({ errors }) => errors !== undefined)
    expect(refused).toHaveLength(12 - 4)
    for (const { errors } of refused) expect(errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) })
    const other = await submit({ text: 'The mill by the river should be repaired', domain_hint: 'energy' })
    const foreign = await vote('AGREE', first.pass, other)
    expect(foreign.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['pass'] }] })

    await soon(async () => (await stats()).unverified_votes).toEqual({ total: 5, agree: 0, disagree: 4, pass: 1 })
    expect(await stats()).toMatchObject({ votes: { total: 1, agree: 1, disagree: 0, pass: 0 }, participants: 1 })
    const { domains } = (await get('/api/v1/domains')).body
    const agriculture = domains.find((domain: { id: string }) => domain.id === 'agriculture-food')
    expect(agriculture.stats).toMatchObject({ votes: 1, unverified_votes: { total: 5, disagree: 4 }, participants: 1 })
    const mapped = await get(map, { 'if-none-match': etag })
    expect(mapped.status).toBe(200)
    expect(mapped.body.features[0].properties).toMatchObject({
      votes: { agree: 1, disagree: 0, pass: 0 },
      unverified_votes: { agree: 0, disagree: 4, pass: 1 },
    })
    const { statistics } = (await query('{ statistics(filter: {domain: "agriculture-food"}) { votes { total unverified { total } } } }'))
      .data
    expect(statistics.votes).toEqual({ total: 1, unverified: { total: 5 } })
  })

  it('reports the path of an invalid day, in the query and in its variables', async () => {
    const refusal = [{ code: 'not_a_date', path: ['from'], message: 'Input should be a date such as 2026-01-31' }]
    const literal = await query('{ statistics(filter: {from: "2026-13-01"}) { expressions { total } } }')
    expect(literal.errors[0].extensions.entries).toEqual(refusal)
    const variable = await query('query ($filter: StatisticsFilterInput) { statistics(filter: $filter) { expressions { total } } }', {
      filter: { from: '2026-13-01' },
    })
    expect(variable.errors[0].extensions.entries).toEqual(refusal)
    const whole = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({
        query: 'query ($f: StatisticsFilterInput, $z: Int!) { statistics(filter: $f) { expressions { total } } map(zoom: $z) { version } }',
        variables: { f: { from: '31/12/2026', to: 'x' }, z: 1 },
      }),
    })
    const body = z
      .looseObject({ errors: z.array(z.looseObject({ extensions: z.looseObject({ entries: z.unknown() }) })) })
      .parse(await whole.json())
    expect([whole.status, body]).toEqual([400, { errors: [expect.anything(), expect.anything()] }])
    expect(body.errors.map(({ extensions }) => extensions.entries)).toEqual(
      ['from', 'to'].map((name) => [{ code: 'not_a_date', path: [name], message: 'Input should be a date such as 2026-01-31' }]),
    )
  })

  it('fetches an unchanged entity once, and never returns its state from before a vote', async () => {
    const id = await submit({ text: 'The reading room of the library should stay open in the evening', domain_hint: 'culture-sport-youth' })
    const search = `{ expressions(filter: { domains: ["culture-sport-youth"] }, first: 50) { edges { node { id votes { total } classification { domain { domain { id slug } } } } } } }`
    const matching = async (): Promise<object | undefined> =>
      (await query(search)).data.expressions.edges
        .map(({ node }: { node: { id: string } }) => node)
        .find((node: { id: string }) => node.id === id)
    const entity = (total: number) => ({ id, votes: { total }, classification: { domain: { domain: { id: 'culture-sport-youth' } } } })
    await soon(matching).toMatchObject(entity(0))
    const hits = await cachedEntities(system, 'hit')
    await soon(async () => {
      expect(await matching()).toMatchObject(entity(0))
      return cachedEntities(system, 'hit')
    }).toBeGreaterThan(hits)
    const mutation = `mutation ($input: CastVoteInput!) { castVote(input: $input) { value } }`
    for (const total of [1, 2, 3]) {
      await query(mutation, { input: { expressionId: id, value: 'AGREE', voterRef: `reader ${total}` } }, service())
      // a voter sees the vote in the next response, however long the response before it may be cached
      expect(await matching()).toMatchObject(entity(total))
    }
    expect((await query(`{ expression(id: "${id}") { votes { total } } }`)).data.expression).toEqual({ votes: { total: 3 } })
    // counted, so that the following figures do not change
    await soon(async () => (await get('/api/v1/stats?domain=culture-sport-youth')).body.votes.total).toBe(6)
    const answer = await post(system.graphqlUrl, { query: search })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('has one ETag for equal bytes, and returns 304 for a match', async () => {
    for (const path of ['/api/v1/map?zoom=4&sentiment=negative', '/api/v1/stats?from=2020-01-01', '/api/v1/domains']) {
      const [first, again] = [await get(path), await get(path)]
      const etag = first.headers.get('etag') ?? ''
      expect(etag, path).toMatch(/^"[\w-]+"$/)
      expect([again.headers.get('etag'), again.text], path).toEqual([etag, first.text])
      expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect((await get(path, { 'if-none-match': etag })).status, path).toBe(304)
    }
    const path = '/api/v1/map?zoom=4'
    const etag = (await get(path)).headers.get('etag') ?? ''
    await submit({ text: 'Something new is on the map', location: { lat: 1, lon: 1 } })
    await soon(async () => (await get(path, { 'if-none-match': etag })).status).toBe(200)
    await soon(async () => (await get(path)).headers.get('etag')).not.toBe(etag)
  })

  it('refuses invalid values with the name of the parameter', async () => {
    const long = 'x'.repeat(10_000)
    const refused: readonly (readonly [string, string])[] = [
      ['bbox', '/api/v1/map?bbox=1,2,3'],
      ['bbox', '/api/v1/map?bbox=a,b,c,d'],
      ['bbox', `/api/v1/map?bbox=${long}`],
      ['bbox', '/api/v1/map?bbox=0,10,1,-10'],
      ['bbox', '/api/v1/map?bbox=-181,0,1,1'],
      ['bbox', '/api/v1/stats?bbox=0,0,0,91'],
      ['bbox', '/api/v1/map?bbox=0,0,1e999,1'],
      ['zoom', '/api/v1/map?zoom=99'],
      ['zoom', '/api/v1/map?zoom=-1'],
      ['zoom', '/api/v1/map?zoom=2.5'],
      ['domain', '/api/v1/map?domain=nothing'],
      ['domain', `/api/v1/stats?domain=${long}`],
      ['domain', '/api/v1/stats?domain=%00'],
      ['sentiment', '/api/v1/map?sentiment=angry'],
      ['lang', '/api/v1/map?lang=FRENCH'],
      ['from', '/api/v1/map?from=2026-11-22&to=2026-11-21'],
      ['from', '/api/v1/stats?from=2026-02-30'],
      ['to', '/api/v1/stats?to=yesterday'],
    ]
    for (const [name, path] of refused) {
      const { status, body } = await get(path)
      expect([status, body.detail?.[0]?.loc], path.slice(0, 60)).toEqual([422, ['query', name]])
    }
    // the last of repeated parameters counts; valid areas: across the antimeridian, at a pole, a single point
    for (const path of ['?zoom=99&zoom=3', '?bbox=170,-20,-170,20', '?bbox=-180,80,180,90', '?bbox=5,5,5,5', '?zoom=22', '?unknown=1'])
      expect((await get(`/api/v1/map${path}`)).status, path).toBe(200)
    const { errors } = await query('{ map(filter: {box: {west: 0, east: 1, south: 2, north: 1}}) { total } }')
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
    const { errors: ofDay } = await query('{ map(filter: {from: "2026-02-30"}) { total } }')
    expect(ofDay).toMatchObject([
      { message: 'Expected a value of type "Date".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' }, locations: [{ line: 1 }] },
    ])
  })

  it('notifies subscribers of changed figures, domains and map', async () => {
    const client = createClient({ url: system.graphqlUrl.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
    const received: Record<string, { readonly seq: number }[]> = { domainsChanged: [], mapInvalidated: [], statisticsChanged: [] }
    const follow = (field: string, members: string) =>
      client.subscribe<Record<string, { readonly seq: number }>>(
        { query: `subscription { ${field} { seq kind ${members} } }` },
        { next: ({ data }) => data?.[field] && received[field]?.push(data[field]), error: () => undefined, complete: () => undefined },
      )
    follow('statisticsChanged', 'statistics { version expressions { total } }')
    follow('domainsChanged', 'taxonomy { version domains { id statistics { expressions } } }')
    follow('mapInvalidated', 'version tiles { zoom column row }')
    try {
      await soon(async () => {
        await submit({ text: 'A road in Lima', location: { lat: -12.05, lon: -77.04 }, domain_hint: 'justice-rights' })
        return Object.values(received).every((events) => events.length > 0)
      }).toBe(true)
      expect(received.mapInvalidated?.[0]).toMatchObject({ kind: 'CHANGED', tiles: [{ zoom: 8, column: 73, row: 136 }] })
      // an expression that was posted before all subscriptions had started is counted later
      await soon(async () => {
        const { total } = (await get('/api/v1/stats')).body.expressions
        return received.statisticsChanged?.some((event) => isDeepStrictEqual(Object(event).statistics.expressions, { total }))
      }).toBe(true)
      await soon(async () => received.domainsChanged?.at(-1)).toMatchObject({
        taxonomy: { domains: expect.arrayContaining([{ id: 'justice-rights', statistics: { expressions: expect.any(Number) } }]) },
      })
    } finally {
      await client.dispose()
    }
  })

  it('lists its engines in its health', async () => {
    await expect.poll(() => get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(Object.keys((await get('/health')).body.checks).sort()).toEqual(['analytics_database', 'key_value_store', 'search_index'])
  })
})
