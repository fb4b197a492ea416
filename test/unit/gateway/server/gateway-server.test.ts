import { createHash } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { buildSchema, getIntrospectionQuery, printSchema } from 'graphql'
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { Intake } from '../../../../foundation/http/read-body.ts'
import { cutSlowReaders } from '../../../../foundation/http/slow-readers.ts'
import { apiKey, layouts, type RunningGateway, startGateway } from '../../../support/gateway/town.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: { data?: Record<string, unknown> | null; errors?: { message: string; extensions: Record<string, unknown> }[] }
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return answer(response)
}
async function answer(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}
const codeOf = ({ body }: Answer): unknown => body.errors?.[0]?.extensions.code

describe.each(layouts)('GraphQL over HTTP, subgraphs %s', (layout) => {
  let running: RunningGateway
  beforeAll(async () => {
    running = await startGateway(layout)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it('answers a query and echoes a valid request id', async () => {
    const response = await post(running.graphql, { query: '{ house(id: 1) { owner { name } } }' }, { 'x-request-id': 'my.id-1' })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toBe('my.id-1')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.body).toEqual({ data: { house: { owner: { name: 'Name of p1' } } } })
    const replaced = await post(running.graphql, { query: '{ crash }' }, { 'x-request-id': 'not acceptable!' })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(replaced.body.errors?.[0]?.extensions.requestId).toBe(replaced.headers.get('x-request-id'))
  })

  it.each([
    ['an unsupported expectation', 'POST /graphql HTTP/1.1\r\nhost: a\r\nexpect: tea\r\ncontent-length: 2\r\n\r\n{}', 417],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /health/live HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n', 400],
    ['an invalid Host', 'GET /graphql?query={__typename} HTTP/1.1\r\nhost: [\r\n\r\n', 400],
    ['an empty Host', 'GET /graphql?query={__typename} HTTP/1.1\r\nhost:\r\n\r\n', 400],
    ['a Host with a path', 'GET /health/live HTTP/1.1\r\nhost: a/b\r\n\r\n', 400],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ])('refuses %s with a body that has a code', async (_, bytes, status) => {
    const { hostname, port } = new URL(running.graphql)
    const socket = connect(Number(port), hostname)
    socket.end(bytes)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head.toLowerCase()).toContain('content-type: application/json')
    const requestId = /x-request-id: (\S+)/i.exec(head)?.[1]
    const extensions = { code: 'BAD_REQUEST', ...(requestId !== undefined && { requestId }) }
    expect(JSON.parse(body)).toEqual({ errors: [{ message: expect.any(String), extensions }] })
  })

  it('returns the same bytes directly and through Apollo Server', async () => {
    for (const query of [
      '{ house(id: 1) { number owner { who: name letters { text } } } }',
      '{ house(id: "x") { number } }',
      '{ crash away forbidden house(id: 1) { number lost { name } } }',
      'query A { house(id: 2) { place { __typename ...on Town { name } } } }',
      'query ($id: ID!) { house(id: $id) { number } }',
      '{ __typename }',
    ]) {
      const headers = { 'x-request-id': 'same' }
      const direct = await post(running.graphql, { query }, headers)
      const apollo = await answer(
        await fetch(`${running.graphql}?query=${encodeURIComponent(query)}`, { headers: { ...headers, 'apollo-require-preflight': '1' } }),
      )
      expect(direct.text, query).toBe(apollo.text)
      expect([
        direct.status,
        direct.headers.get('content-type'),
        direct.headers.get('cache-control'),
        direct.headers.get('content-length'),
      ]).toEqual([
        apollo.status,
        apollo.headers.get('content-type'),
        apollo.headers.get('cache-control'),
        apollo.headers.get('content-length'),
      ])
    }
  })

  it('authenticates service keys, bearer tokens and both together', async () => {
    const who = async (headers: Record<string, string>) => (await post(running.graphql, { query: '{ who }' }, headers)).body.data?.who
    expect(await who({})).toMatch(/^anonymous /)
    expect(await who({ 'x-service-api-key': apiKey })).toMatch(/^tester /)
    expect(await who({ authorization: 'bEaReR good-token' })).toMatch(/^good-token /)
    expect(await who({ authorization: 'Bearer good-token', 'x-service-api-key': apiKey })).toMatch(/^tester /)
  })

  it('refuses invalid credentials with 401', async () => {
    for (const headers of [
      { 'x-service-api-key': 'wrong' },
      { 'x-service-api-key': '' },
      { authorization: 'Bearer bad' },
      { authorization: 'Basic abc' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer good', 'x-service-api-key': 'wrong' },
    ]) {
      const response = await post(running.graphql, { query: '{ who }' }, headers)
      expect([response.status, codeOf(response)], JSON.stringify(headers)).toEqual([401, 'UNAUTHENTICATED'])
      expect(response.headers.get('www-authenticate')).toContain('Bearer')
    }
  })

  it('refuses two Authorization headers with 401', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = rawRequest(
        running.graphql,
        {
          method: 'POST',
          headers: ['host', 'gateway', 'content-type', 'application/json', 'Authorization', 'Bearer good', 'Authorization', 'Bearer good'],
        },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      request.on('error', reject)
      request.end('{"query":"{ who }"}')
    })
    expect(status).toBe(401)
  })

  it('aborts the operation of a client that disconnects', async () => {
    const before = running.town.seen.aborted.length
    const connection = new AbortController()
    const response = fetch(running.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ slow }"}',
      signal: connection.signal,
    })
    await sleep(150)
    connection.abort()
    await expect(response).rejects.toThrow()
    await expect.poll(() => running.town.seen.aborted.length).toBe(before + 1)
  })

  it('answers DEADLINE_EXCEEDED for an operation that does not end in time', async () => {
    const response = await post(running.graphql, { query: '{ slow house(id: 1) { number } }' })
    expect(codeOf(response)).toBe('DEADLINE_EXCEEDED')
  })
})

describe('the gateway', () => {
  let running: RunningGateway
  beforeAll(async () => {
    running = await startGateway('in process')
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it.each([
    ['depth', `{ house(id: 1) ${'{ place { ... on Town { mayor '.repeat(1)}${'{ letters { text } '.repeat(1)}${'} '.repeat(4)}`, true],
    ['too deep', `{ __schema { types ${'{ fields { type { name ofType '.repeat(6)}{ name }${' } } }'.repeat(6)} } }`, false],
    ['too many fields', `{ house(id: 1) { ${'number '.repeat(1001)} } }`, false],
    ['too many root fields', `{ ${Array.from({ length: 26 }, () => 'crash').join(' ')} }`, false],
    ['too many aliases', `{ house(id: 1) { ${Array.from({ length: 51 }, (_, index) => `a${index}: number`).join(' ')} } }`, false],
    ['too many directives', `{ house(id: 1) { number ${'@include(if: true) '.repeat(51)} } }`, false],
    ['too many directives in a position without directives', `{ ...F } fragment F on Query ${'@x '.repeat(51)} { who }`, false],
    ['eight nested lists', `{ house(id: ${'['.repeat(8)}${']'.repeat(8)}) { number } }`, true],
    ['more nested lists', `{ house(id: ${'['.repeat(9)}${']'.repeat(9)}) { number } }`, false],
    ['lists in a default', `query ($id: ID = ${'['.repeat(900)}${']'.repeat(900)}) { house(id: $id) { number } }`, false],
    ['an alias of 256 characters', `{ house(id: 1) { ${'a'.repeat(256)}: number } }`, true],
    ['a long alias', `{ house(id: 1) { ${'a'.repeat(257)}: number } }`, false],
    ['a long label', `{ house(id: 1) { ... @defer(label: "${'a'.repeat(257)}") { number } } }`, false],
    ['too many tokens', `{ ${'a '.repeat(2001)} }`, false],
    [
      'fragments that multiply',
      `{ house(id: 1) { ...F0 } } ${Array.from({ length: 30 }, (_, index) => `fragment F${index} on House { ...F${index + 1} ...F${index + 1} }`).join(' ')} fragment F30 on House { number }`,
      false,
    ],
  ])('limits operations: %s', async (_, query, allowed) => {
    const response = await post(running.graphql, { query })
    if (allowed) return expect(codeOf(response)).not.toBe('LIMIT_EXCEEDED')
    expect([response.status, codeOf(response)]).toEqual([400, 'LIMIT_EXCEEDED'])
    expect(response.body.errors?.[0]?.extensions.requestId).toBe(response.headers.get('x-request-id'))
    const byGet = await answer(
      await fetch(`${running.graphql}?query=${encodeURIComponent(query)}`, { headers: { 'apollo-require-preflight': '1' } }),
    )
    expect([byGet.status, codeOf(byGet)]).toEqual([400, 'LIMIT_EXCEEDED'])
  })

  it('counts a list without arguments by its stated size', async () => {
    await using long = await startGateway('in process', { listLengths: { 'House.rooms': 1000 } })
    const rooms = (count: number) => `{ houses(first: ${count}) { rooms { name } } }`
    expect((await post(long.graphql, { query: rooms(2) })).body.data?.houses).toHaveLength(2)
    expect(codeOf(await post(long.graphql, { query: rooms(100) }))).toBe('LIMIT_EXCEEDED')
    expect(codeOf(await post(running.graphql, { query: rooms(100) }))).toBeUndefined()
  })

  it('counts lists by their length, also when a variable or a default states it', async () => {
    const nested = (first: string) =>
      `${first === '$n' ? 'query ($n: Int = 1) ' : ''}{ houses(first: ${first}) { owner { letters(first: 100) { text } } } }`
    const allowed = await post(running.graphql, { query: nested('2') })
    expect(allowed.body.data?.houses).toHaveLength(2)
    for (const [query, variables] of [
      [nested('1000'), {}],
      [nested('$n'), { n: 1000 }],
      [`{ houses(first: 1000) { rooms { ${Array.from({ length: 11 }, (_, index) => `n${index}: name`).join(' ')} } } }`, {}],
      [
        '{ houses(first: 60) { owner { letters(first: 60) { a: text b: text c: text } l2: letters(first: 60) { ...T } } } } fragment T on Letter { text d: text e: text f: text g: text h: text i: text j: text k: text l: text m: text n: text o: text p: text q: text r: text s: text t: text u: text v: text w: text x: text y: text z: text aa: text }',
        {},
      ],
    ] as const) {
      const response = await post(running.graphql, { query, variables })
      expect([response.status, codeOf(response)], query).toEqual([400, 'LIMIT_EXCEEDED'])
      expect(response.body.data).toBeUndefined()
      const byGet = await answer(
        await fetch(`${running.graphql}?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`, {
          headers: { 'apollo-require-preflight': '1' },
        }),
      )
      expect([byGet.status, codeOf(byGet)], query).toEqual([400, 'LIMIT_EXCEEDED'])
    }
    expect((await post(running.graphql, { query: nested('$n'), variables: { n: 3 } })).body.data?.houses).toHaveLength(3)
  })

  it('refuses recursive fragments, batches, and subscriptions over plain HTTP', async () => {
    const circular = await post(running.graphql, {
      query: '{ house(id: 1) { ...A } } fragment A on House { ...B } fragment B on House { ...A }',
    })
    expect([circular.status, codeOf(circular)]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
    const batch = await post(running.graphql, [{ query: '{ crash }' }])
    expect([batch.status, codeOf(batch)]).toEqual([400, 'BAD_REQUEST'])
    const subscription = await post(running.graphql, { query: 'subscription { quiet { id } }' })
    expect([subscription.status, codeOf(subscription)]).toEqual([400, 'BAD_REQUEST'])
    const included = await post(running.graphql, {
      query: 'subscription ($x: Boolean!) { quiet @include(if: $x) { id } }',
      variables: { x: true },
    })
    expect([included.status, codeOf(included)]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
  })

  it('answers every malformed body with a 4xx in the GraphQL response format', async () => {
    for (const body of [
      '',
      '{',
      'null',
      '1',
      '"x"',
      '{}',
      '{"query":1}',
      '{"query":"{"}',
      '{"query":"{ who }","variables":"x"}',
      '{"query":"{ who }","variables":[1]}',
      '{"query":"{ who }","extensions":"x"}',
      '{"query":"{ who }","operationName":1}',
      '{"query":"{ who }","operationName":"Other"}',
      '{"query":"{ who }","extensions":{"persistedQuery":"x"}}',
    ]) {
      const response = await post(running.graphql, body)
      expect(response.status, body).toBeGreaterThanOrEqual(400)
      expect(response.status, body).toBeLessThan(500)
      expect(response.body.errors?.[0]?.extensions, body).toMatchObject({ requestId: response.headers.get('x-request-id') })
    }
    const large = await post(running.graphql, { query: '{ who }', variables: { x: 'y'.repeat(200_000) } })
    expect([large.status, codeOf(large)]).toEqual([413, 'TOO_LARGE'])
    const accept = 'application/graphql-response+json,application/json;q=0.9'
    for (const body of [
      { query: '{ who }', variables: { x: 'y'.repeat(200_000) } },
      { query: '{ who }', variables: { x: 'y'.repeat(3_000_000) } },
      { query: '{' },
    ]) {
      const refused = await post(running.graphql, body, { accept })
      // Apollo Client reads `errors` of another status than 200 in this type only
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        expect.any(Number),
        'application/graphql-response+json; charset=utf-8',
      ])
      expect([400, 413]).toContain(refused.status)
    }
    const xml = await answer(await fetch(running.graphql, { method: 'POST', headers: { 'content-type': 'application/xml' }, body: '<x/>' }))
    expect(xml.status).toBe(400)
  })

  it('refuses deeply nested variables without a stack overflow', async () => {
    const query = 'mutation ($input: SealedInput!) { sealed(input: $input) }'
    for (const deep of [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, `${'{"people":'.repeat(5000)}null${'}'.repeat(5000)}`]) {
      const response = await post(running.graphql, `{"query":"${query}","variables":{"input":${deep}}}`)
      expect([response.status, codeOf(response)]).toEqual([400, 'LIMIT_EXCEEDED'])
    }
  })

  it('never repeats a submitted image, also when the document is refused', async () => {
    const selfie = 'c2VsZmllLW9mLWEtcGVyc29u'.repeat(20)
    for (const body of [
      { query: 'mutation ($input: SealedInput!) { sealed(input: $input) }', variables: { input: { selfie } } },
      { query: `mutation { sealed(input: {selfie: "${selfie}"}) }` },
      { query: `mutation { sealed(input: {selfie: 1, back: ${selfie}}) }` },
      { query: `mutation { sealed(input: {selfie: x "${selfie}"}) }` },
      { query: '{ who }', operationName: selfie },
      { query: '{ who }', extensions: { persistedQuery: { version: 1, sha256Hash: selfie } } },
    ]) {
      const response = await post(running.graphql, body)
      expect(response.body.errors, JSON.stringify(body).slice(0, 80)).toBeDefined()
      expect(response.text).not.toContain(selfie.slice(0, 24))
    }
    expect(running.town.lines.join('')).not.toContain(selfie.slice(0, 24))
  })

  it('refuses requests that another site could send without a preflight', async () => {
    const query = encodeURIComponent('{ who }')
    for (const [method, headers, body] of [
      ['GET', {}, undefined],
      ['POST', { 'content-type': 'text/plain' }, '{"query":"{ who }"}'],
      ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, 'query={who}'],
      ['POST', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
      ['POST', { 'content-type': 'invalid' }, '{"query":"{ who }"}'],
    ] as const) {
      const response = await answer(
        await fetch(`${running.graphql}?query=${query}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      )
      expect([response.status, codeOf(response)], `${method} ${JSON.stringify(headers)}`).toEqual([
        headers['content-type' as keyof typeof headers] === 'invalid' ? 415 : 400,
        'BAD_REQUEST',
      ])
      expect(response.body.data).toBeUndefined()
    }
  })

  it('stores persisted queries for all copies by their hash', async () => {
    const query = '{ house(id: 7) { number } }'
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } }
    const unknown = await post(running.graphql, { extensions })
    expect([unknown.status, unknown.body.errors?.[0]?.message, codeOf(unknown)]).toEqual([
      200,
      'PersistedQueryNotFound',
      'PERSISTED_QUERY_NOT_FOUND',
    ])
    expect((await post(running.graphql, { query, extensions })).body.data).toEqual({ house: { number: 7 } })
    expect([...running.store.values()]).toContain(query)
    expect((await post(running.graphql, { extensions })).body.data).toEqual({ house: { number: 7 } })
    const byGet = await fetch(`${running.graphql}?extensions=${encodeURIComponent(JSON.stringify(extensions))}`, {
      headers: { 'apollo-require-preflight': '1' },
    })
    expect((await answer(byGet)).body.data).toEqual({ house: { number: 7 } })
    await using copy = await startGateway('in process', {
      persistedQueries: { get: async (key) => running.store.get(key), set: async () => undefined },
    })
    expect((await post(copy.graphql, { extensions })).body.data).toEqual({ house: { number: 7 } })
    const wrong = await post(running.graphql, { query: '{ who }', extensions })
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'BAD_REQUEST'])
    for (const invalid of ['{ nothing }', '{ house(']) {
      const hashed = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(invalid).digest('hex') } }
      const [plain, refused] = [
        await post(running.graphql, { query: invalid }),
        await post(running.graphql, { query: invalid, extensions: hashed }),
      ]
      expect([refused.status, codeOf(refused)]).toEqual([plain.status, codeOf(plain)])
      const search = `query=${encodeURIComponent(invalid)}&extensions=${encodeURIComponent(JSON.stringify(hashed))}`
      const refusedGet = await answer(await fetch(`${running.graphql}?${search}`, { headers: { 'apollo-require-preflight': '1' } }))
      expect([refusedGet.status, codeOf(refusedGet)]).toEqual([plain.status, codeOf(plain)])
      expect([...running.store.values()]).not.toContain(invalid)
    }
  })

  it('redirects a browser from /graphql to the explorer with its query, and no other client', async () => {
    await using running = await startGateway('in process', { explorer: '/query' })
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const redirected = await fetch(`${running.graphql}?query=%7Bhouses%7Bid%7D%7D`, { headers: html, redirect: 'manual' })
    expect([redirected.status, redirected.headers.get('location')]).toEqual([303, '/query?query=%7Bhouses%7Bid%7D%7D'])
    const headers = { 'apollo-require-preflight': '1' }
    expect((await fetch(`${running.graphql}?query=%7B__typename%7D`, { headers, redirect: 'manual' })).status).toBe(200)
  })

  it('serves its schema as a file only when allowed', async () => {
    await using running = await startGateway('in process')
    const answer = await fetch(new URL('/schema.graphql', running.graphql))
    expect(printSchema(buildSchema(await answer.text()))).toBe(printSchema(running.town.executor.schema))
    for (const path of ['/schema.graphql', '/asyncapi.json']) {
      const matching = { 'if-none-match': (await fetch(new URL(path, running.graphql))).headers.get('etag') ?? '' }
      expect([path, (await fetch(new URL(path, running.graphql), { headers: matching })).status]).toEqual([path, 304])
      expect([path, (await fetch(new URL(path, running.graphql), { headers: { 'if-none-match': '"another"' } })).status]).toEqual([
        path,
        200,
      ])
    }
    await using closed = await startGateway('in process', { introspection: false })
    expect((await fetch(new URL('/schema.graphql', closed.graphql))).status).toBe(404)
  })

  it.each([
    ['PUT', '/graphql', 'GET, HEAD, POST'],
    ['DELETE', '/graphql?query={__typename}', 'GET, HEAD, POST'],
    ['POST', '/schema.graphql', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
  ])('refuses %s %s and lists the allowed methods', async (method, path, allow) => {
    await using running = await startGateway('in process')
    const answer = await fetch(new URL(path, running.graphql), { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] })
  })

  it('answers introspection only when allowed', async () => {
    expect((await post(running.graphql, { query: getIntrospectionQuery() })).body.data).toHaveProperty('__schema')
    await using closed = await startGateway('in process', { introspection: false })
    const refused = await post(closed.graphql, { query: '{ __schema { types { name } } }' })
    expect([refused.status, refused.body.data]).toEqual([400, undefined])
    expect((await post(closed.graphql, { query: '{ __typename }' })).body.data).toEqual({ __typename: 'Query' })
  })

  it('accepts cross-origin calls only from allowed origins', async () => {
    const preflight = (origin: string, requested = 'content-type') =>
      fetch(running.graphql, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': requested },
      })
    const allowed = await preflight('https://front.test')
    expect([
      allowed.status,
      allowed.headers.get('access-control-allow-origin'),
      allowed.headers.get('access-control-allow-headers'),
    ]).toEqual([204, 'https://front.test', 'content-type'])
    expect((await preflight('https://evil.test')).headers.get('access-control-allow-origin')).toBeNull()
    const many = await preflight('https://front.test', 'x-a,'.repeat(30))
    expect(many.headers.get('access-control-allow-headers')).toBe('authorization, *')
  })

  it('has a page, health routes, and a clear 404', async () => {
    const page = await fetch(`${running.gateway.url}/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<!doctype html>')
    const health = await (await fetch(`${running.gateway.url}/health`)).json()
    expect(health).toMatchObject({ status: 'ok', version: '1.2.3', checks: { houses: { status: 'ok', engine: 'subgraph' } } })
    for (const path of ['/health/live', '/health/ready']) expect((await fetch(running.gateway.url + path)).status).toBe(200)
    expect((await fetch(`${running.gateway.url}/nowhere`)).status).toBe(404)
    const unreadable = await answer(await fetch(`${running.gateway.url}/%zz`, { headers: { 'x-request-id': 'my.id-2' } }))
    expect([unreadable.status, codeOf(unreadable), unreadable.headers.get('x-request-id')]).toEqual([400, 'BAD_REQUEST', 'my.id-2'])
  })

  it('passes the public audits of GraphQL over HTTP', async () => {
    const failed = []
    for (const audit of serverAudits({
      url: running.graphql,
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), 'apollo-require-preflight': '1' } }),
    })) {
      const result = await audit.fn()
      if (result.status === 'error' || result.status === 'warn')
        failed.push(`${result.status} ${audit.id} ${result.name}: ${result.reason}`)
    }
    expect(failed).toEqual([])
  })
})

it('compresses answers to queries, and not to mutations, which return passwords, keys and tokens', async () => {
  await using running = await startGateway('in process')
  const name = (letter: string): string => letter.repeat(250)
  const repeated = (field: string): string => [...'abcdef'].map((letter) => `${name(letter)}: ${field} { street }`).join(' ')
  const register = 'register(input: { street: "x", number: 1 })'
  const coding = async (query: string, url = running.graphql): Promise<readonly unknown[]> => {
    const { headers, body } = await post(url, { query }, { 'accept-encoding': 'br' })
    return [headers.get('content-encoding'), headers.get('vary')?.includes('Accept-Encoding'), Object.keys(body.data ?? {}).length]
  }
  expect(await coding(`{ ${repeated('house(id: 1)')} }`)).toEqual(['br', true, 6])
  expect(await coding(`mutation { ${repeated(register)} }`)).toEqual([null, false, 6])
  const head = await fetch(`${running.gateway.url}/schema.graphql`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
  expect([head.status, head.headers.get('content-encoding'), head.headers.get('etag')]).toEqual([
    200,
    'gzip',
    expect.stringMatching(/-gzip"$/),
  ])
})

it('reads bodies within its memory limit: refuses further ones, releases aborted ones, and counts gzip by its decompressed size', async () => {
  const intake = new Intake(300_000)
  await using running = await startGateway('in process', { intake, requestTimeoutMs: 1000 })
  const port = Number(new URL(running.graphql).port)
  const startBody = (bytes: number): { readonly answer: Promise<string>; readonly stop: () => void } => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 190000\r\n\r\n')
    socket.write('x'.repeat(bytes))
    return { answer: text(socket).catch(() => 'broken off'), stop: () => socket.destroy() }
  }
  const first = startBody(180_000)
  await expect.poll(() => intake.hasRoomFor(150_000)).toBe(false)
  const refused = await startBody(180_000).answer
  expect(refused).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 1[\s\S]*"ENGINE_UNAVAILABLE"/)
  expect(await first.answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"DEADLINE_EXCEEDED"/)
  expect(intake.hasRoomFor(300_000)).toBe(true)
  const aborted = startBody(180_000)
  await expect.poll(() => intake.hasRoomFor(150_000)).toBe(false)
  aborted.stop()
  await expect.poll(() => intake.hasRoomFor(300_000)).toBe(true)

  const zipped = (body: unknown): Promise<Answer> =>
    fetch(running.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync(JSON.stringify(body))),
    }).then(answer)
  expect((await zipped({ query: '{ house(id: 1) { number } }' })).body.data).toEqual({ house: { number: 1 } })
  const bomb = await zipped({ query: '{ who }', variables: { x: 'y'.repeat(5_000_000) } })
  expect([bomb.status, codeOf(bomb)]).toEqual([413, 'TOO_LARGE'])
  const odd = await post(running.graphql, '{}', { 'content-encoding': 'br' })
  expect([odd.status, codeOf(odd)]).toEqual([415, 'BAD_REQUEST'])
  expect(intake.hasRoomFor(300_000)).toBe(true)
})

it('cuts a reader that reads nothing of its response, and no other', async () => {
  const server = fastify({ forceCloseConnections: true })
  cutSlowReaders(server, { stallMs: 300 })
  server.get('/', async () => 'x'.repeat(40_000_000))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = listenerUrl(server.server, '127.0.0.1')
  const cut = (): Promise<unknown> =>
    new Promise((resolve) => server.server.once('connection', (connection) => connection.once('close', resolve)))
  const read = async (pause: Promise<unknown>): Promise<number> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await pause
    socket.resume()
    await closed
    return bytes
  }
  expect(await read(Promise.resolve())).toBeGreaterThan(40_000_000)
  expect(await read(cut())).toBeLessThan(40_000_000)
  await server.close()
})

it('finishes running requests when it drains, and accepts no more', async () => {
  const running = await startGateway('in process', { requestTimeoutMs: 300, graceMs: 2000 })
  const response = post(running.graphql, { query: '{ slow }' })
  await sleep(100)
  await running[Symbol.asyncDispose]()
  expect(codeOf(await response)).toBe('DEADLINE_EXCEEDED')
  await expect(post(running.graphql, { query: '{ who }' })).rejects.toThrow()
})
