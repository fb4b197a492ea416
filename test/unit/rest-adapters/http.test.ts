import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { GraphQLError } from 'graphql'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedInterface } from '../../support/rest/documented.ts'
import { apiKey, job, type Rest, rest } from '../../support/rest/rest.ts'

const key = { 'X-Service-API-Key': apiKey }
const acknowledged = () => ({ acknowledged: { acked: 1, not_found: 0 } })
const failing = (code: string, extensions: Record<string, unknown> = {}) => [
  new GraphQLError('A sentence', { extensions: { code, ...extensions } }),
]

let a: Rest
beforeAll(async () => {
  a = await rest({ behind: { RestAcknowledge: acknowledged } })
})
afterAll(() => a[Symbol.asyncDispose]())

const documented = documentedInterface('verification')
/** Returns the differences between a refusal and the document, which describes it for every operation. */
const undocumented = (status: number, body: string): readonly string[] =>
  documented.operations.flatMap((operation) => documented.complaint(operation, status, 'application/json', body) ?? [])

describe('a request for an unknown route or method', () => {
  it.each([
    ['DELETE', '/jobs/submit', 'POST'],
    ['PUT', '/jobs/17', 'GET'],
    ['POST', '/jobs/results', 'GET'],
    ['OPTIONS', '/health', 'GET'],
    ['PROPFIND', '/version', 'GET'],
  ])('is 405 with Allow for %s %s', async (method, path, allow) => {
    const answer = await a.call(path, { method, headers: key })
    expect([answer.status, answer.headers.allow, answer.json()]).toEqual([405, allow, { detail: 'Method Not Allowed' }])
    expect(undocumented(405, answer.text)).toEqual([])
  })

  it('is 405 without a body for HEAD', async () => {
    const answer = await a.call('/health', { method: 'HEAD' })
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([405, 'GET', ''])
  })

  it.each([
    ['/health/', '/health'],
    ['/jobs/results//?limit=3&x=%20', '/jobs/results?limit=3&x=%20'],
    ['/jobs/17/', '/jobs/17'],
    ['/health%2F', '/health'],
  ])('is redirected from %s to %s', async (path, location) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const answer = await a.call(path, { method })
      expect([answer.status, answer.headers.location]).toEqual([307, location])
    }
  })

  it.each(['/nope', '/jobs', '/jobs/', '//', '//health', '/Health', '/jobs/a/b', '/jobs/a%2Fb', '/%zz', '/%E0', '/.env', '/jobs//'])(
    'is 404 at %s',
    async (path) => {
      const answer = await a.call(path, { headers: key })
      expect([answer.status, answer.json()]).toEqual([404, { detail: 'Not Found' }])
    },
  )

  it('is answered once for an empty job id, and logs no failure', async () => {
    const lines: string[] = []
    await using here = await rest({ log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) })
    expect((await here.call('/jobs/', { headers: key })).status).toBe(404)
    // a second answer would fail before the next request is answered
    expect((await here.call('/health/live')).status).toBe(200)
    expect(lines).toEqual([])
  })

  it.each(['submit', 'unknown', '%zz', '%E0', '%00', 'x'.repeat(5000), '..%5c', 'é'.repeat(40)])(
    'is 404 for the unknown job %s',
    async (id) => {
      const here = await rest({ behind: { RestJob: () => ({ job: null }) } })
      const answer = await here.call(`/jobs/${encodeURI(id).replaceAll('%25', '%')}`, { headers: key })
      await here[Symbol.asyncDispose]()
      expect([answer.status, answer.json()]).toEqual([404, { detail: 'Job not found' }])
    },
  )
})

describe('an unusual HTTP request', () => {
  it.each([
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['no request at all', 'hello\r\n\r\n', 400],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n', 400],
    ['an invalid Host', 'GET /health HTTP/1.1\r\nhost: [\r\n\r\n', 400],
    ['two lengths', 'POST /jobs/ack HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['a head of 20 KB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unsupported expectation', 'POST /jobs/ack HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}', 417],
  ])('is refused in JSON: %s', async (_, bytes, status) => {
    const [head = '', body = ''] = (await a.raw(bytes, /\}$/)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(JSON.parse(body)).toEqual({ detail: expect.any(String) })
    expect(undocumented(status, body)).toEqual([])
  })

  it('with Expect: 100-continue is refused before its body if its key is invalid', async () => {
    const head = (value: string) =>
      `POST /jobs/ack HTTP/1.1\r\nHost: a\r\nX-Service-API-Key: ${value}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 17\r\n\r\n`
    expect(await a.raw(head('wrong'))).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i)
    expect(await a.raw(head(apiKey), /\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    const both = /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/
    expect(await a.raw(`${head(apiKey)}{"job_ids":["a"]}`, both)).toMatch(both)
  })

  it('may have a target in absolute form', async () => {
    expect(await a.raw('GET http://elsewhere/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('a body', () => {
  it('may be compressed with gzip', async () => {
    const answer = await a.post('/jobs/ack', gzipSync('{"job_ids":["zipped"]}'), { 'Content-Encoding': 'gzip' })
    expect(answer.json()).toEqual({ acked: 1, not_found: 0 })
    expect(a.executed.at(-1)?.variables).toEqual({ input: { jobIds: ['zipped'] } })
  })

  it('is 415 in any other encoding, and 400 with broken gzip', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'utf-8'])
      expect((await a.post('/jobs/ack', '{"job_ids":[]}', { 'Content-Encoding': encoding })).status).toBe(415)
    const zipped = gzipSync('{"job_ids":["zipped"]}')
    for (const broken of [Buffer.from('{"job_ids":[]}'), zipped.subarray(0, -4), zipped.subarray(0, 5)]) {
      const answer = await a.post('/jobs/ack', broken, { 'Content-Encoding': 'gzip' })
      expect([answer.status, answer.json()]).toEqual([400, { detail: 'There was an error parsing the body' }])
    }
  })

  it('is 413 above its limit: by Content-Length before it is read, while it is read, and after decompression', async () => {
    const small = await rest({ limits: { bodyBytes: 1024 * 1024, batchBodyBytes: 2 * 1024 * 1024 } })
    const oversized = Buffer.alloc(1024 * 1024 + 1, ' ')
    const refused = { detail: 'The body is larger than 1 MB' }
    const byLength = await small.post('/jobs/submit', oversized)
    const chunked = await small.call('/jobs/submit', {
      method: 'POST',
      headers: { ...key, 'Transfer-Encoding': 'chunked' },
      body: oversized,
    })
    const bomb = await small.post('/jobs/submit', gzipSync(Buffer.alloc(300 * 1024 * 1024)), { 'Content-Encoding': 'gzip' })
    const unsent = await small.raw(
      `POST /jobs/submit HTTP/1.1\r\nHost: a\r\nX-Service-API-Key: ${apiKey}\r\nContent-Length: 999999999\r\n\r\n`,
      /^HTTP\/1\.1 413/,
    )
    const batch = await small.post('/jobs/submit-batch', oversized)
    await small[Symbol.asyncDispose]()
    for (const answer of [byLength, chunked, bomb]) expect([answer.status, answer.json()]).toEqual([413, refused])
    expect(unsent).toMatch(/^HTTP\/1\.1 413/)
    expect(batch.status).toBe(422)
    expect(small.executed).toEqual([])
  })

  it('is 503 with Retry-After while other requests fill the memory limit, and is accepted afterwards', async () => {
    const megabyte = 1024 * 1024
    let release = (): void => undefined
    const pending = new Promise<void>((resolve) => {
      release = resolve
    })
    const busy = await rest({
      limits: { intakeInflightBytes: 2 * megabyte },
      behind: {
        RestAcknowledge: async () => {
          await pending
          return acknowledged()
        },
      },
    })
    const large = { job_ids: ['x'.repeat(1.5 * megabyte)] }
    const first = busy.post('/jobs/ack', large)
    while (busy.executed.length === 0) await sleep(5)
    const second = await busy.post('/jobs/ack', large)
    const chunked = await busy.post('/jobs/ack', large, { 'Transfer-Encoding': 'chunked' })
    release()
    const served = [await first, await busy.post('/jobs/ack', large)]
    await busy[Symbol.asyncDispose]()
    for (const answer of [second, chunked]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
      expect(answer.json()).toEqual({ detail: expect.any(String) })
    }
    expect(served.map((answer) => answer.status)).toEqual([200, 200])
  })

  it('that stops arriving times out', async () => {
    const impatient = await rest({ limits: { requestTimeoutMs: 200 } })
    const answer = await impatient.raw(
      `POST /jobs/ack HTTP/1.1\r\nHost: a\r\nX-Service-API-Key: ${apiKey}\r\nContent-Length: 100\r\n\r\n{"job_ids`,
    )
    await impatient[Symbol.asyncDispose]()
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"detail"/)
  })
})

describe('a failure behind the listener', () => {
  it.each([
    ['BAD_USER_INPUT', 422],
    ['MALFORMED', 400],
    ['UNAUTHENTICATED', 401],
    ['FORBIDDEN', 403],
    ['NOT_FOUND', 404],
    ['CONFLICT', 409],
    ['TOO_LARGE', 413],
    ['RATE_LIMITED', 429],
    ['LIMIT_EXCEEDED', 400],
    ['ENGINE_UNAVAILABLE', 503],
    ['DEADLINE_EXCEEDED', 503],
    ['INTERNAL', 500],
    ['SOMETHING_NEW', 500],
  ])('%s is %i', async (code, status) => {
    const here = await rest({ behind: { RestAcknowledge: () => failing(code, { retryAfterMs: 2500 }) } })
    const answer = await here.post('/jobs/ack', { job_ids: [] })
    await here[Symbol.asyncDispose]()
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.json()).toEqual({ detail: [{ type: 'value_error', loc: ['body'], msg: 'A sentence' }] })
    else expect(answer.json()).toEqual({ detail: status === 500 ? 'Internal Server Error' : 'A sentence' })
    expect(answer.headers['retry-after']).toBe(status === 429 || status === 503 ? '3' : undefined)
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'APIKey' : undefined)
  })

  it.each([
    [
      { code: 'too_many', path: ['jobIds'], message: 'should have at most 5 items', constraint: { max: 5, actual: 6 } },
      {
        type: 'too_long',
        loc: ['body', 'job_ids'],
        msg: 'List should have at most 5 items after validation, not 6',
        ctx: { field_type: 'List', max_length: 5, actual_length: 6 },
      },
    ],
    [
      { code: 'too_long', path: ['jobIds', 3], message: 'should have at most 1 character', constraint: { max: 1 } },
      { type: 'string_too_long', loc: ['body', 'job_ids', 3], msg: 'String should have at most 1 character', ctx: { max_length: 1 } },
    ],
    [
      { code: 'unstorable_text', path: ['jobIds', 0], message: 'no such text' },
      { type: 'value_error', loc: ['body', 'job_ids', 0], msg: 'Value error, no such text' },
    ],
    [
      { code: 'not of this version', path: ['jobIds'], message: 'whatever it is' },
      { type: 'value_error', loc: ['body'], msg: 'A sentence' },
    ],
  ])('is reported in the documented words without an input, if only the component detects it: %j', async (violation, entry) => {
    const here = await rest({
      behind: { RestAcknowledge: () => failing('BAD_USER_INPUT', { entries: [{ ...violation, input: 'a face' }] }) },
    })
    const answer = await here.post('/jobs/ack', { job_ids: [] })
    await here[Symbol.asyncDispose]()
    expect(answer.json()).toEqual({ detail: [entry] })
  })

  it('is 503 after the request timeout, and aborts the operation', async () => {
    const here = await rest({ limits: { requestTimeoutMs: 100 }, behind: { RestAcknowledge: () => sleep(5000, {}, { ref: false }) } })
    const answer = await here.post('/jobs/ack', { job_ids: [] })
    await here[Symbol.asyncDispose]()
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(here.executed[0]?.context.signal.aborted).toBe(true)
  })

  it('aborts the operation when the client disconnects', async () => {
    const here = await rest({
      limits: { requestTimeoutMs: 600_000 },
      behind: { RestAcknowledge: () => sleep(600_000, {}, { ref: false }) },
    })
    const client = connect(Number(new URL(here.server.address).port), '127.0.0.1').on('error', () => undefined)
    client.write(
      `POST /jobs/ack HTTP/1.1\r\nHost: a\r\nX-Service-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"job_ids":[]}`,
    )
    await expect.poll(() => here.executed.length).toBe(1)
    expect(here.executed[0]?.context.signal.aborted).toBe(false)
    client.destroy()
    await expect.poll(() => here.executed[0]?.context.signal.aborted).toBe(true)
    await here[Symbol.asyncDispose]()
  })

  it('stops requesting pages when its client stops reading, and cuts the connection', async () => {
    const nodes = Array.from({ length: 10 }, () => ({ tenant_id: 'default', body: 'x'.repeat(100_000) }))
    // the result has endless pages
    const page = {
      version: 1,
      source: 'STORE',
      snapshot_at: null,
      is_private: false,
      nodes,
      pageInfo: { hasNextPage: true, endCursor: 'more' },
    }
    const here = await rest({ component: 'content', readerStallMs: 300, behind: { RestContentSubtree: () => ({ found: page }) } })
    const reader = connect(Number(new URL(here.server.address).port), '127.0.0.1').on('error', () => undefined)
    reader.pause().write('GET /api/v1/export HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => here.executed.length).toBeGreaterThan(1)
    let requested = 0
    while (requested < here.executed.length) {
      requested = here.executed.length
      await sleep(2000)
    }
    reader.resume()
    await expect.poll(() => reader.closed).toBe(true)
    expect(here.executed.length).toBe(requested)
    await here[Symbol.asyncDispose]()
  })

  it('retries a page that is refused temporarily, and cuts the response at one that is refused permanently', async () => {
    const first = {
      version: 1,
      source: 'STORE',
      snapshot_at: null,
      is_private: false,
      nodes: [{ tenant_id: 'default' }],
      pageInfo: { hasNextPage: true, endCursor: 'more' },
    }
    const last = { ...first, pageInfo: { hasNextPage: false, endCursor: null } }
    let requests = 0
    const answers = (refused: string) => () => {
      requests++
      if (requests === 1) return { found: first }
      return requests === 2 ? failing(refused) : { found: last }
    }
    await using momentary = await rest({ component: 'content', behind: { RestContentSubtree: answers('OVERLOADED') } })
    const complete = await momentary.call('/api/v1/export', { headers: { accept: 'application/x-ndjson' } })
    expect(complete.text.trim().split('\n')).toHaveLength(2)
    requests = 0
    await using final = await rest({ component: 'content', behind: { RestContentSubtree: answers('FORBIDDEN') } })
    await expect(final.call('/api/v1/export')).rejects.toThrow()
    expect(requests).toBe(2)
  })

  it('has the media type that the client prefers', async () => {
    const nodes = [{ tenant_id: 'default', depth: 0 }]
    const found = {
      version: 1,
      source: 'STORE',
      snapshot_at: null,
      is_private: false,
      nodes,
      pageInfo: { hasNextPage: false, endCursor: null },
    }
    const here = await rest({ component: 'content', behind: { RestContentSubtree: () => ({ found }) } })
    const [list, lines] = ['application/json', 'application/x-ndjson']
    for (const [accept, type] of [
      ['*/*', list],
      ['text/html', list],
      ['application/x-ndjson', lines],
      ['application/x-ndjson, application/json', lines],
      ['application/x-ndjson;q=0.5, application/json', list],
      ['application/json;q=0.1,APPLICATION/X-NDJSON ; q=0.9', lines],
      ['application/x-ndjson;q=0', list],
      ['*/*, application/x-ndjson;q=0.1', list],
      ['application/*;q=0.2, application/x-ndjson', lines],
    ])
      expect([accept, (await here.call('/api/v1/export', { headers: { accept: accept ?? '' } })).headers['content-type']]).toEqual([
        accept,
        type,
      ])
    await here[Symbol.asyncDispose]()
  })

  it('with data that violates the contract is an internal error, logged under the request id without the job', async () => {
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    const here = await rest({ log, behind: { RestSubmit: () => ({ submitVerification: { job: null } }) } })
    const answer = await here.post('/jobs/submit', job({ selfie_b64: 'c2VjcmV0IHNlbGZpZQ==' }), { 'X-Request-Id': 'find-me' })
    await here[Symbol.asyncDispose]()
    expect([answer.status, answer.json()]).toEqual([500, { detail: 'Internal Server Error' }])
    expect(lines.join('')).toContain('"requestId":"find-me"')
    expect(lines.join('')).not.toMatch(/c2VjcmV0|Idrissi|C-17|a key for tests/)
  })
})

describe('every response', () => {
  it('has the request id: that of the request, or a new one if it is not valid in a log', async () => {
    for (const path of ['/health/live', '/nope', '/jobs/results']) {
      expect((await a.call(path, { headers: { 'X-Request-Id': 'from-outside.1' } })).headers['x-request-id']).toBe('from-outside.1')
      for (const bad of ['two words', 'x'.repeat(129), ''])
        expect((await a.call(path, { headers: { 'X-Request-Id': bad } })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
    const expected = await a.call('/health/live', { headers: { 'X-Request-Id': 'from-outside.3', Expect: 'tea' } })
    expect([expected.status, expected.headers['x-request-id']]).toEqual([417, 'from-outside.3'])
    await a.post('/jobs/ack', { job_ids: [] }, { 'X-Request-Id': 'from-outside.2' })
    expect(a.executed.at(-1)?.context.requestId).toBe('from-outside.2')
  })

  it('with personal data is no-store; a public one has a strong ETag and answers 304 to it', async () => {
    const personal = [await a.post('/jobs/ack', { job_ids: [] }), await a.call('/jobs/17', { headers: key }), await a.call('/health/live')]
    for (const answer of personal) expect([answer.headers['cache-control'], answer.headers.etag]).toEqual(['no-store', undefined])
    for (const path of ['/', '/docs', '/openapi.json']) {
      const first = await a.call(path)
      const { etag = '' } = first.headers
      expect(etag).toMatch(/^"[\w-]+"$/)
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await a.call(path, { headers: { 'If-None-Match': tag } })
        expect([again.status, again.headers.etag, again.text]).toEqual([304, etag, ''])
      }
      expect((await a.call(path, { headers: { 'If-None-Match': '"other"' } })).bytes).toEqual(first.bytes)
    }
  })

  it('returns development credentials only to the pages under `/docs`', async () => {
    const credentialsFor = (site?: string) =>
      a.call('/docs/development.json', site === undefined ? {} : { headers: { 'Sec-Fetch-Site': site } })
    for (const site of [undefined, 'cross-site', 'same-site', 'none']) expect((await credentialsFor(site)).status).toBe(403)
    const answer = await credentialsFor('same-origin')
    expect([answer.status, answer.headers['cache-control'], answer.json()]).toEqual([200, 'no-store', {}])
  })

  it('is readable only by pages of the configured origins', async () => {
    const here = await rest({ env: { CORS_ORIGINS: 'https://desk.example' }, behind: { RestAcknowledge: acknowledged } })
    const preflight = (origin: string) =>
      here.call('/jobs/submit', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-service-api-key' },
      })
    const [ours, foreign] = [await preflight('https://desk.example'), await preflight('https://evil.example')]
    const refused = await here.post('/jobs/ack', '{', { Origin: 'https://desk.example' })
    await here[Symbol.asyncDispose]()
    expect([ours.status, ours.headers['access-control-allow-origin']]).toEqual([204, 'https://desk.example'])
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([405, undefined])
    expect(refused.headers['access-control-allow-origin']).toBe('https://desk.example')
  })
})

describe('health', () => {
  const health = (status: string, checks: unknown[]) => () => ({
    health: { status, version: '1.0.0', commit: 'abc', schema_level: 7, uptime_s: 5, checks },
  })
  const check = (name: string, status: string, error: string | null) => ({
    name,
    status,
    engine: 'an engine',
    latency_ms: 0.5,
    error,
    drift: null,
  })

  it('is an object of checks by name; only down is 503', async () => {
    const checks = [check('database', 'OK', null), check('queue', 'DOWN', 'no answer')]
    const degraded = await rest({ behind: { RestHealth: health('DEGRADED', checks) } })
    const answer = await degraded.call('/health')
    await degraded[Symbol.asyncDispose]()
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        status: 'degraded',
        version: '1.0.0',
        commit: 'abc',
        schema_level: 7,
        uptime_s: 5,
        checks: {
          database: { status: 'ok', engine: 'an engine', latency_ms: 0.5 },
          queue: { status: 'down', engine: 'an engine', latency_ms: 0.5, error: 'no answer' },
        },
      },
    ])
    const down = await rest({ behind: { RestHealth: health('DOWN', []) } })
    expect((await down.call('/health')).status).toBe(503)
    expect((await down.call('/health/live')).status).toBe(200)
    await down[Symbol.asyncDispose]()
  })

  it.each(['verification', 'exploration', 'classification', 'administration', 'content'] as const)(
    'of %s reports an unavailable subgraph, and stays ready',
    async (component) => {
      const unavailable = () => failing('ENGINE_UNAVAILABLE')
      const here = await rest({ component, behind: { RestHealth: unavailable } })
      const [answer, ready] = [await here.call('/health'), await here.call('/health/ready')]
      await here[Symbol.asyncDispose]()
      expect([answer.status, answer.json()]).toEqual([503, { status: 'down', checks: { subgraph: { status: 'down' } } }])
      expect([ready.status, ready.json()]).toEqual([200, { status: 'ok' }])
    },
  )
})

describe('a listener that stops', () => {
  it('finishes running requests and accepts no more', async () => {
    const here = await rest({
      graceMs: 10_000,
      behind: {
        RestAcknowledge: async () => {
          await sleep(200)
          return acknowledged()
        },
      },
    })
    const response = here.post('/jobs/ack', { job_ids: [] })
    while (here.executed.length === 0) await sleep(5)
    const stopped = here.server.stop()
    expect((await response).status).toBe(200)
    await stopped
    await expect(here.call('/health/live')).rejects.toThrow(/ECONNREFUSED/)
  })
})
