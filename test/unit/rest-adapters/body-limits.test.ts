import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOutline } from '../../../rest-adapters/json/json-outline.ts'
import { textOfJson } from '../../../rest-adapters/request/body-text.ts'
import { apiKey, job, type Reply, type Rest, rest } from '../../support/rest/rest.ts'

let a: Rest
beforeAll(async () => {
  a = await rest()
})
afterAll(() => a[Symbol.asyncDispose]())

const gzip = { 'Content-Encoding': 'gzip' }
const header = { type: 'missing', loc: ['header', 'X-Service-API-Key'], msg: 'Field required', input: null }
const keyless = (path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  a.call(path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body })
const entriesOf = (answer: Reply): readonly Record<string, unknown>[] =>
  (answer.json() as { detail: readonly Record<string, unknown>[] }).detail
const jobs = (count: number): string => `{"jobs":[${'{},'.repeat(count - 1)}{}]}`
const tooLong = (actual: number) => ({
  type: 'too_long',
  loc: ['body', 'jobs'],
  msg: `List should have at most 100 items after validation, not ${actual}`,
  ctx: { field_type: 'List', max_length: 100, actual_length: actual },
})

describe('a request without its key', () => {
  it.each([101, 5000, 40_000, 85_000])('has an entry for its header and one for %d jobs', async (count) => {
    const answer = await keyless('/jobs/submit-batch', gzipSync(jobs(count)), gzip)
    expect([answer.status, entriesOf(answer)]).toEqual([422, [header, expect.objectContaining(tooLong(count))]])
  })

  it('has every entry for the maximum number of jobs in a batch', async () => {
    const answer = await keyless('/jobs/submit-batch', jobs(100))
    expect(answer.status).toBe(422)
    expect(entriesOf(answer)).toHaveLength(601)
    expect(entriesOf(answer)[0]).toEqual(header)
  })

  it.each([
    ['jobs by the million', '/jobs/submit-batch', gzipSync(jobs(20_000_000)), gzip],
    ['jobs that are sent as they are', '/jobs/submit-batch', jobs(200_000), {}],
    ['a body beyond every limit', '/jobs/submit', Buffer.alloc(30 * 1024 * 1024, ' '), {}],
    ['a body just above 256 kB', '/jobs/submit', JSON.stringify(job({ selfie_b64: 'x'.repeat(256 * 1024) })), {}],
    ['brackets', '/jobs/ack', gzipSync('['.repeat(5_000_000)), gzip],
    ['text', '/jobs/ack', 'x'.repeat(300_000), { 'Content-Type': 'text/plain' }],
    ['a body without a length', '/jobs/ack', 'x'.repeat(300_000), { 'Transfer-Encoding': 'chunked' }],
  ])('has only the entry for its header with %s', async (_, path, body, headers) => {
    const answer = await keyless(path, body, headers)
    expect([answer.status, answer.json()]).toEqual([422, { detail: [header] }])
  })

  it('has the documented entries at the limit of 256 kB', async () => {
    const body = JSON.stringify(job({ document_type: 'cni', selfie_b64: 'x'.repeat(255 * 1024) }))
    const answer = await keyless('/jobs/submit', body)
    expect(entriesOf(answer)).toEqual([header, expect.objectContaining({ type: 'literal_error', loc: ['body', 'document_type'] })])
  })

  it('is 401 with an invalid key, whatever its body', async () => {
    const answer = await keyless('/jobs/submit-batch', gzipSync(jobs(1_000_000)), { ...gzip, 'X-Service-API-Key': 'wrong' })
    expect([answer.status, answer.json()]).toEqual([401, { detail: 'Invalid API key' }])
  })
})

describe('a body with a key', () => {
  it.each([
    ['100 jobs', '/jobs/submit-batch', jobs(300_000), tooLong(300_000)],
    [
      '100,000 ids',
      '/jobs/ack',
      `{"job_ids":[${'"1",'.repeat(199_999)}"1"]}`,
      {
        type: 'too_long',
        loc: ['body', 'job_ids'],
        msg: 'List should have at most 100000 items after validation, not 200000',
        ctx: { field_type: 'List', max_length: 100_000, actual_length: 200_000 },
      },
    ],
    [
      'its values',
      '/jobs/submit',
      `{"x":[${'1,'.repeat(30_000)}1]}`,
      { type: 'value_error', loc: ['body'], msg: 'Value error, the body should have at most 20000 values' },
    ],
    [
      'its members',
      '/jobs/ack',
      `{"job_ids":[],"x":{${Array.from({ length: 65_000 }, (_, at) => `"${at}":1`).join()}}}`,
      { type: 'value_error', loc: ['body'], msg: 'Value error, the body should have at most 120000 values' },
    ],
  ])('of more than %s has one entry, and no echo', async (_, path, body, entry) => {
    const answer = await a.post(path, body)
    expect([answer.status, entriesOf(answer)]).toEqual([422, [entry]])
  })

  it('is 413 when it decompresses to more than a hundred times its size', async () => {
    const answer = await a.post('/jobs/submit-batch', gzipSync(jobs(20_000_000)), gzip)
    expect([answer.status, answer.json()]).toEqual([
      413,
      { detail: 'The body is too large: it decompresses to more than 100 times its size' },
    ])
    const small = await a.post('/jobs/ack', gzipSync(`{"job_ids":["${'x'.repeat(900_000)}"]}`), gzip)
    expect(small.status).not.toBe(413)
  })

  it('has an entry for each problem of each job of a batch, at most 2,000', async () => {
    const wrong = { ...Object.fromEntries(Object.keys(job()).map((name) => [name, 7])), declared_identity: { first_name: 1, last_name: 2 } }
    const batch = await a.post('/jobs/submit-batch', { jobs: Array.from({ length: 100 }, () => wrong) })
    expect([batch.status, entriesOf(batch).length]).toEqual([422, 1000])
    const ids = await a.post('/jobs/ack', { job_ids: Array.from({ length: 100_000 }, () => null) })
    expect([ids.status, entriesOf(ids).length]).toEqual([422, 2000])
  })

  it('is echoed with at most 256 kB, however many entries echo it', async () => {
    const large = { citizen_code: 'C', notes: Array.from({ length: 200 }, () => 'n'.repeat(1000)) }
    const answer = await a.post('/jobs/submit-batch', { jobs: Array.from({ length: 20 }, () => large) })
    expect(entriesOf(answer)).toHaveLength(100)
    expect(entriesOf(answer)[0]?.input).toEqual(large)
    expect(answer.bytes.length).toBeLessThan(300 * 1024)
  })
})

describe('a query', () => {
  const key = { 'X-Service-API-Key': apiKey }
  it.each([
    ['thousands of blanks around a letter', `/jobs/results?limit=${'+'.repeat(7000)}a${'+'.repeat(7000)}a`, 422],
    ['thousands of parameters', `/jobs/results?${'a=1&'.repeat(3500)}`, 200],
    ['thousands of slashes', `/jobs/results${'/'.repeat(14_000)}a`, 404],
  ])('is answered with %s', async (_, target, status) => {
    const answer = await a.call(target, { headers: key })
    // the answer of the platform behind it does not matter here
    expect(status === 200 ? answer.status !== 422 : answer.status === status).toBe(true)
  })
})

describe('a JSON text in another encoding', () => {
  it('keeps every surrogate and every U+FFFD', () => {
    const bytes = Buffer.concat([
      Buffer.from('["é\ufffd'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('\ufffd😀'),
      Buffer.from([0xed, 0xbf, 0xbf, 0x22, 0x5d]),
    ])
    expect(textOfJson(bytes)).toBe('["é\ufffd\ud800\ufffd😀\udfff"]')
    expect(() => textOfJson(Buffer.concat([bytes, Buffer.from([0xff])]))).toThrow()
  })

  it('may be UTF-32 with characters beyond the basic multilingual plane', () => {
    const points = [...'["é😀"]'].flatMap((character) => [character.codePointAt(0) ?? 0])
    const bytes = Buffer.alloc(4 * points.length)
    for (const [at, point] of points.entries()) bytes.writeUInt32LE(point, 4 * at)
    expect(textOfJson(bytes)).toBe('["é😀"]')
  })
})

describe('the outline of a JSON text', () => {
  const lists = new Set(['jobs'])
  it.each([
    ['{"jobs":[]}', 0, 1],
    ['{"jobs": [ ]}', 0, 1],
    ['{"jobs":[1]}', 1, 1],
    ['{"x":[1,2],"jobs":[[1,2],{"jobs":[3]},"a,b"],"y":{"jobs":[1]}}', 3, 5],
    ['{"jobs":[1,2],"jobs":[3]}', 1, 2],
    ['{"x":"jobs","jobs":{"a":[1,2]}}', undefined, 3],
    ['["jobs",[1,2]]', undefined, 0],
    ['{"a":"\\"jobs\\":[1,2"}', undefined, 1],
    ['{"jobs":[1,2', 2, 1],
  ])('of %s', (json, length, members) => {
    const outline = jsonOutline(json, lists)
    expect([outline.lengths.get('jobs'), outline.members]).toEqual([length, members])
  })
})
