import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKey, job, type Rest, rest } from '../../support/rest/rest.ts'

let a: Rest
beforeAll(async () => {
  a = await rest()
})
afterAll(() => a[Symbol.asyncDispose]())

const detail = async (path: string, body: unknown, headers?: Record<string, string>): Promise<unknown> => {
  const before = a.executed.length
  const answer = await a.post(path, body, headers)
  expect(answer.status).toBe(422)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(a.executed.length).toBe(before)
  return (answer.json() as { detail: unknown }).detail
}
const missing = (loc: readonly unknown[], input: unknown) => ({ type: 'missing', loc, msg: 'Field required', input })
const notText = { type: 'string_type', msg: 'Input should be a valid string' }
const notObject = { type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from' }
const literal = (expected: string) => ({ type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } })
const documents = "'CNI', 'PASSPORT', 'TITRE_DE_SEJOUR' or 'NATIONAL_ID'"
const required = ['citizen_code', 'document_type', 'country_code', 'selfie_b64', 'cni_recto_b64', 'declared_identity'] as const

describe('an invalid job', () => {
  it.each(required)('is refused without %s, with the rest of it as input', async (name) => {
    const { [name]: _, ...others } = job()
    expect(await detail('/jobs/submit', others)).toEqual([missing(['body', name], others)])
  })

  it('is refused with one entry for each problem, in the documented order of members', async () => {
    const body = { priority: 'urgent', declared_identity: { gender: 'X', last_name: 3 }, document_type: 'cni', country_code: null }
    expect(await detail('/jobs/submit', body)).toEqual([
      missing(['body', 'citizen_code'], body),
      { ...literal(documents), loc: ['body', 'document_type'], input: 'cni' },
      { ...notText, loc: ['body', 'country_code'], input: null },
      missing(['body', 'selfie_b64'], body),
      missing(['body', 'cni_recto_b64'], body),
      missing(['body', 'declared_identity', 'first_name'], body.declared_identity),
      { ...notText, loc: ['body', 'declared_identity', 'last_name'], input: 3 },
      { ...literal("'M', 'F', 'O' or 'N'"), loc: ['body', 'declared_identity', 'gender'], input: 'X' },
      { ...literal("'normal' or 'high'"), loc: ['body', 'priority'], input: 'urgent' },
    ])
  })

  it.each([null, true, 7, [], 'text'])('is refused when it or its identity is %j', async (value) => {
    expect(await detail('/jobs/submit', JSON.stringify(value))).toEqual([{ ...notObject, loc: ['body'], input: value }])
    expect(await detail('/jobs/submit', job({ declared_identity: value }))).toEqual([
      { ...notObject, loc: ['body', 'declared_identity'], input: value },
    ])
  })

  it('may have null for optional members, except for the priority', async () => {
    const identity = { first_name: 'A', last_name: 'B', date_of_birth: null, gender: null, nationality: null }
    await a.post('/jobs/submit', job({ declared_identity: identity, cni_verso_b64: null, callback_url: null }))
    expect(a.executed.at(-1)?.variables).toMatchObject({ input: { declaredIdentity: { gender: null }, documentBack: null } })
    expect(await detail('/jobs/submit', job({ priority: null }))).toEqual([
      { ...literal("'normal' or 'high'"), loc: ['body', 'priority'], input: null },
    ])
  })

  it('never has a photograph in its refusal', async () => {
    const photograph = 'iVBORw0KGgo'.repeat(5000)
    const body = { ...job({ selfie_b64: photograph, cni_recto_b64: { deep: [photograph] } }), [photograph]: [photograph] }
    const { citizen_code: _, ...others } = body
    const { text } = await a.post('/jobs/submit', others)
    expect(text).toContain(`${photograph.slice(0, 32)}...`)
    expect(text).not.toContain(photograph.slice(0, 33))
    expect((await a.post('/jobs/submit', photograph, { 'Content-Type': 'text/plain' })).text).not.toContain(photograph.slice(0, 33))
  })

  it('echoes numbers as they were written, and values outside JSON as null', async () => {
    const number = '123456789012345678901234567890'
    const body = JSON.stringify(job({ citizen_code: 0 })).replace('"citizen_code":0', `"citizen_code":[1.0,${number},NaN,-Infinity,1e999]`)
    expect((await a.post('/jobs/submit', body)).text).toContain(`"input":[1.0,${number},null,null,null]`)
  })
})

describe('an invalid batch', () => {
  it('names the job and its member', async () => {
    const { selfie_b64: _, ...third } = job()
    expect(await detail('/jobs/submit-batch', { jobs: [job(), 'second', third] })).toEqual([
      { ...notObject, loc: ['body', 'jobs', 1], input: 'second' },
      missing(['body', 'jobs', 2, 'selfie_b64'], third),
    ])
  })

  it('is refused when its jobs are no list', async () => {
    expect(await detail('/jobs/submit-batch', {})).toEqual([missing(['body', 'jobs'], {})])
    for (const jobs of [null, {}, 'abc', 5])
      expect(await detail('/jobs/submit-batch', { jobs })).toEqual([
        { type: 'list_type', loc: ['body', 'jobs'], msg: 'Input should be a valid list', input: jobs },
      ])
  })

  it('is refused above the maximum number of jobs, before any job is validated', async () => {
    const jobs = Array.from({ length: 101 }, () => ({}))
    expect(await detail('/jobs/submit-batch', { jobs })).toEqual([
      {
        type: 'too_long',
        loc: ['body', 'jobs'],
        msg: 'List should have at most 100 items after validation, not 101',
        input: jobs,
        ctx: { field_type: 'List', max_length: 100, actual_length: 101 },
      },
    ])
  })
})

describe('a body that does not match its content type', () => {
  it('has one entry, at the position of the error', async () => {
    const entry = (position: number, error: string) => [
      { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {}, ctx: { error } },
    ]
    expect(await detail('/jobs/ack', '{"job_ids": ["é😀" "b"]}')).toEqual(entry(18, "Expecting ',' delimiter"))
    const { status, text } = await a.call('/jobs/ack', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ' ' })
    expect([status, JSON.parse(text)]).toEqual([422, { detail: entry(1, 'Expecting value') }])
  })

  it.each([
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['half a UTF-16 unit', Buffer.from([0xff, 0xfe, 0x7b])],
    ['nesting of 10,000', `{"job_ids":["a"],"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['an integer of 5,000 digits', `{"job_ids":["a"],"x":${'8'.repeat(5000)}}`],
  ])('is 400 for %s', async (_, body) => {
    const answer = await a.post('/jobs/ack', body)
    expect([answer.status, answer.json()]).toEqual([400, { detail: 'There was an error parsing the body' }])
  })

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff{"job_ids":["é"]}')],
    ['UTF-16 with one', Buffer.from('\ufeff{"job_ids":["é"]}', 'utf16le')],
    ['UTF-16 without', Buffer.from('{"job_ids":["é"]}', 'utf16le')],
    ['UTF-16, most significant byte first', Buffer.from('{"job_ids":["é"]}', 'utf16le').swap16()],
    ['UTF-32', Buffer.concat([...'{"job_ids":["é"]}'].map((letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0])))],
  ])('is read in %s', async (_, body) => {
    await a.post('/jobs/ack', body)
    expect(a.executed.at(-1)?.variables).toEqual({ input: { jobIds: ['é'] } })
  })

  it('keeps lone surrogates and NUL in a valid body, and echoes lone surrogates as U+FFFD in an invalid one', async () => {
    await a.post('/jobs/ack', '{"job_ids":["\\ud800\\u0000"]}')
    expect(a.executed.at(-1)?.variables).toEqual({ input: { jobIds: ['\ud800\u0000'] } })
    await a.post('/jobs/ack', Buffer.from('7b226a6f625f696473223a5b22eda080225d7d', 'hex'))
    expect(a.executed.at(-1)?.variables).toEqual({ input: { jobIds: ['\ud800'] } })
    expect(await detail('/jobs/ack', '{"job_ids":{"\\udc00":"\\ud800"}}')).toMatchObject([{ input: { '\ufffd': '\ufffd' } }])
  })

  it.each(['application/json', 'application/json; charset=latin-1', 'APPLICATION/VND.API+JSON ;x', 'application/+json'])(
    'is JSON as %s',
    async (type) => expect(await detail('/jobs/ack', '{}', { 'Content-Type': type })).toEqual([missing(['body', 'job_ids'], {})]),
  )

  it.each([
    'text/plain',
    'text/json',
    'application/json, text/plain',
    'application/json/x',
    'json',
    '',
    'application/x-www-form-urlencoded',
  ])('is text as "%s"', async (type) =>
    expect(await detail('/jobs/ack', '{}', { 'Content-Type': type })).toEqual([{ ...notObject, loc: ['body'], input: '{}' }]),
  )

  it('is missing when it is empty, whatever its type', async () => {
    expect(await detail('/jobs/ack', '')).toEqual([missing(['body'], null)])
    expect(await detail('/jobs/ack', '', { 'Content-Type': 'text/plain' })).toEqual([missing(['body'], null)])
  })
})

describe('a request without a key', () => {
  it('has an entry for the header before those of the body, after those of the query', async () => {
    const header = missing(['header', 'X-Service-API-Key'], null)
    const body = await a.call('/jobs/ack', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    expect(body.json()).toEqual({ detail: [header, missing(['body', 'job_ids'], {})] })
    const empty = await a.call('/jobs/ack', { method: 'POST' })
    expect(empty.json()).toEqual({ detail: [header, missing(['body'], null)] })
    const query = await a.call('/jobs/results?limit=0')
    expect(query.json()).toMatchObject({ detail: [{ loc: ['query', 'limit'] }, header] })
    expect([body.status, empty.status, query.status]).toEqual([422, 422, 422])
  })

  it.each(['', 'wrong', `${apiKey}x`])('is 401 when the key is "%s", before the body is read', async (key) => {
    const answer = await a.post('/jobs/submit', '{ broken', { 'X-Service-API-Key': key })
    expect([answer.status, answer.headers['www-authenticate'], answer.json()]).toEqual([401, 'APIKey', { detail: 'Invalid API key' }])
  })
})

describe('the limit of a poll', () => {
  const headers = { 'X-Service-API-Key': apiKey }

  it.each([
    ['', 100],
    ['?limit=10_0', 100],
    ['?limit=%2B5', 5],
    ['?limit=+5', 5],
    ['?limit=5.000', 5],
    ['?limit=%C2%A05%09', 5],
    ['?limit=00012', 12],
    ['?limit=1000', 1000],
    ['?limit=1001', 1000],
    [`?limit=${'9'.repeat(30)}`, 1000],
    ['?limit=abc&limit=7', 7],
    ['?LIMIT=abc&??limit=abc', 100],
  ])('%s is %i', async (query, first) => {
    await a.call(`/jobs/results${query}`, { headers })
    expect(a.executed.at(-1)).toMatchObject({ name: 'RestResults', variables: { first } })
  })

  const notInteger = { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' }
  const tooSmall = { type: 'greater_than_equal', msg: 'Input should be greater than or equal to 1', ctx: { ge: 1 } }
  const tooLong = { type: 'int_parsing_size', msg: 'Unable to parse input string as an integer, exceeded maximum size' }
  it.each([
    ['?limit=', '', notInteger],
    ['?limit', '', notInteger],
    ['?limit=1e2', '1e2', notInteger],
    ['?limit=1__0', '1__0', notInteger],
    ['?limit=5.', '5.', notInteger],
    ['?limit=5.01', '5.01', notInteger],
    ['?limit=%EF%BB%BF5', '\ufeff5', notInteger],
    ['?limit=%D9%A3', '٣', notInteger],
    ['?limit=7&limit=abc', 'abc', notInteger],
    ['?limit=0', '0', tooSmall],
    ['?limit=-1.0', '-1.0', tooSmall],
    [`?limit=-${'9'.repeat(30)}`, `-${'9'.repeat(30)}`, tooSmall],
    [`?limit=${'9'.repeat(4301)}`, `${'9'.repeat(32)}...`, tooLong],
  ])('%s is refused', async (query, input, entry) => {
    const { status, text } = await a.call(`/jobs/results${query}`, { headers })
    expect([status, JSON.parse(text)]).toEqual([422, { detail: [{ ...entry, loc: ['query', 'limit'], input }] }])
  })
})

describe('a hostile body', () => {
  const millions = `{"jobs":[${'1,'.repeat(4_000_000)}1]`
  it.each([
    ['4 million items', '/jobs/submit-batch', `${millions}}`, 422],
    ['4 million items beside the documented members', '/jobs/submit', `${millions}}`, 422],
    ['4 million items and an error', '/jobs/submit-batch', millions, 422],
    ['brackets only', '/jobs/submit', '['.repeat(8_000_000), 400],
    ['escapes only', '/jobs/submit', `"${'\\n'.repeat(4_000_000)}`, 422],
    ['digits only', '/jobs/submit', '1'.repeat(8_000_000), 400],
    ['quotes only', '/jobs/submit', '"'.repeat(8_000_000), 422],
    // validating all of it would exceed the test timeout
  ])('of %s is refused in less than 5 MB', async (_, path, body, status) => {
    const answer = await a.post(path, body)
    expect(answer.status).toBe(status)
    expect(answer.bytes.length).toBeLessThan(5 * 1024 * 1024)
  })
})
