import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DecodedBase64 } from '../../../foundation/graphql/image-content.ts'
import { bodyThread } from '../../../rest-adapters/request/large-body.ts'
import { job, type Reply, type Rest, rest } from '../../support/rest/rest.ts'

let a: Rest
let selfies: readonly (string | undefined)[] = []
beforeAll(async () => {
  const submitted = { submitVerification: { job: { id: 'j' }, queue_position: 1, estimated_wait_seconds: 1 } }
  const batch = { batch: { batch_id: { id: 'b' }, job_ids: [{ id: 'j' }], total: 1, queued: 1, queue_depth: 1 } }
  a = await rest({
    bodyThread: bodyThread(),
    behind: {
      RestSubmit: () => submitted,
      RestSubmitBatch(variables) {
        // drops the bytes: their memory is freed when the operation ends
        const { jobs } = variables.input as { readonly jobs: readonly { readonly selfie: unknown }[] }
        selfies = jobs.map(({ selfie }) => (selfie instanceof DecodedBase64 ? Buffer.from(selfie.bytes).toString('base64') : undefined))
        return batch
      },
    },
  })
})
afterAll(() => a[Symbol.asyncDispose]())

const megabyte = 1024 * 1024
const detailOf = (answer: Reply): unknown => (answer.json() as { detail: unknown }).detail
const input = (): Readonly<Record<string, unknown>> => a.executed.at(-1)?.variables.input as Readonly<Record<string, unknown>>

/** Bodies whose text is too large to parse on the event loop. */
describe('a large body', () => {
  it.each([
    ['text', 'x'.repeat(10 * megabyte), 'x'.repeat(10 * megabyte)],
    ['escapes', '\\u0041'.repeat(2 * megabyte), 'A'.repeat(2 * megabyte)],
    ['lone surrogates', '\\ud800'.repeat(megabyte), '\ud800'.repeat(megabyte)],
  ])('of %s is parsed like a small one', async (_, written, citizenCode) => {
    const { citizen_code: _code, ...others } = job()
    const answer = await a.post('/jobs/submit', `{"citizen_code":"${written}",${JSON.stringify(others).slice(1)}`)
    expect(answer.status).toBe(202)
    expect(input().citizenCode === citizenCode).toBe(true)
  })

  it('in base64 with line breaks is refused with a truncated input in the error', async () => {
    const lines = randomBytes(3 * megabyte)
      .toString('base64')
      .replace(/.{76}/g, '$&\n')
    const { citizen_code: _, ...others } = job({ selfie_b64: lines, extra: 1 })
    const answer = await a.post('/jobs/submit', JSON.stringify(others).replace('"extra":1', '"extra":1.0'))
    expect(answer.status).toBe(422)
    const cut = { ...others, selfie_b64: `${lines.slice(0, 32)}...` }
    expect(detailOf(answer)).toEqual([{ type: 'missing', loc: ['body', 'citizen_code'], msg: 'Field required', input: cut }])
    expect(answer.text).toContain('"extra":1.0')
  })

  it('of images is refused with a truncated input in the error', async () => {
    const selfie = randomBytes(3 * megabyte).toString('base64')
    const { citizen_code: _, ...others } = job({ selfie_b64: selfie })
    const cut = { ...others, selfie_b64: `${selfie.slice(0, 32)}...` }
    expect(detailOf(await a.post('/jobs/submit', others))).toMatchObject([{ loc: ['body', 'citizen_code'], input: cut }])
  })

  it('of a batch with its images reaches the platform, compressed or not', async () => {
    const image = randomBytes(2 * megabyte)
    const jobs = Array.from({ length: 8 }, () => job({ selfie_b64: image.toString('base64'), cni_recto_b64: image.toString('base64') }))
    const text = JSON.stringify({ jobs })
    for (const [body, headers] of [
      [text, {}],
      [gzipSync(text, { level: 1 }), { 'Content-Encoding': 'gzip' }],
    ] as const) {
      expect((await a.post('/jobs/submit-batch', body, headers)).status).toBe(202)
      expect(selfies.map((selfie) => selfie === image.toString('base64'))).toEqual(Array.from({ length: 8 }, () => true))
    }
  })

  it.each([
    [
      'an error at its end',
      `{"citizen_code":"${'x'.repeat(2 * megabyte)}"`,
      422,
      [{ type: 'json_invalid', loc: ['body', 2 * megabyte + 18] }],
    ],
    ['too many jobs', `{"jobs":[${'{},'.repeat(megabyte)}{}]}`, 422, [{ type: 'too_long', loc: ['body', 'jobs'] }]],
    ['NaN', `{"jobs":NaN,"x":"${'x'.repeat(megabyte)}"}`, 422, [{ type: 'list_type', input: null }]],
    ['brackets', '['.repeat(2 * megabyte), 400, 'There was an error parsing the body'],
    ['digits', `{"jobs":${'7'.repeat(2 * megabyte)}}`, 400, 'There was an error parsing the body'],
    ['invalid UTF-8', Buffer.alloc(2 * megabyte, 0xff), 400, 'There was an error parsing the body'],
    ['a name of 2 MB', `{"${'n'.repeat(2 * megabyte)}":1}`, 413, 'A name in the body is longer than 1048576 characters'],
    [
      'surrogates of three bytes',
      Buffer.concat([Buffer.from('"'), Buffer.alloc(3 * megabyte, Buffer.from([0xed, 0xa0, 0x80])), Buffer.from('"')]),
      422,
      [{ type: 'model_attributes_type' }],
    ],
  ])('with %s is refused like a small one', async (_, body, status, detail) => {
    const answer = await a.post('/jobs/submit-batch', body)
    expect(answer.status).toBe(status)
    if (typeof detail === 'string') expect(detailOf(answer)).toBe(detail)
    else expect(detailOf(answer)).toMatchObject(detail)
    expect(answer.bytes.length).toBeLessThan(megabyte)
  })
})
