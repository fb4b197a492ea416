import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Verdict } from '../../../subgraphs/verification/assessment/result.ts'
import { CheckResult } from '../../../subgraphs/verification/graphql/cross-validations.type.ts'
import { job, type Reply } from '../../support/rest/rest.ts'
import { type VerificationService, verificationService } from '../../support/rest/verification.ts'

let a: VerificationService
beforeAll(async () => {
  a = await verificationService()
  openApi = (await a.call('/openapi.json')).json() as Document
})
afterAll(() => a[Symbol.asyncDispose]())

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const failed: Verdict = { outcome: 'error', failureReason: 'image_unreadable: selfie', crossValidations: null, scores: null }
const { CLEAR, CONSIDER, UNIDENTIFIED } = CheckResult
// a stored result may lack checks: those that did not run, and those that an older release does not have
const reviewed = {
  outcome: 'pending_review',
  failureReason: null,
  crossValidations: {
    reasons: ['ocr_unreadable'],
    dataComparison: { firstName: { result: UNIDENTIFIED }, dateOfBirth: { result: CLEAR } },
    imageIntegrity: {
      imageQuality: {
        result: CONSIDER,
        breakdown: [
          {
            name: 'selfie',
            result: CLEAR,
            properties: [
              { key: 'sharpness', number: 0 },
              { key: 'format', text: 'jpeg' },
            ],
          },
          { name: 'front', result: CONSIDER },
        ],
        properties: [{ key: 'worst', number: 0.25 }],
      },
    },
    faceComparison: { faceMatch: { result: CLEAR } },
  },
  scores: { faceMatch: 0.91, overall: 0 },
} as unknown as Verdict

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>>
  readonly components: object
}
// the published document; responses in this file are validated against it
let openApi: Document
const ajv = new Ajv2020({ strict: false })
function documented(method: string, path: string, { status, json }: Reply): unknown {
  const { responses } = openApi.paths[path]?.[method] ?? { responses: {} }
  const schema = (responses[status] ?? responses.default)?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${method} ${path} ${status} is not documented`)
  const check = ajv.compile({ ...schema, components: openApi.components })
  if (!check(json())) throw new Error(`${method} ${path} ${status}: ${ajv.errorsText(check.errors)}`)
  return json()
}

async function submitted(client: 'desk' | 'border' = 'desk'): Promise<string> {
  const answer = await a.as(client).post('/jobs/submit', job())
  const { job_id } = documented('post', '/jobs/submit', answer) as { job_id: string }
  return job_id
}
const resultsOf = async (client: 'desk' | 'border' | 'all', limit = 1000) =>
  documented('get', '/jobs/results', await a.as(client).get(`/jobs/results?limit=${limit}`)) as {
    results: { job_id: string }[]
    total_ready: number
    returned: number
  }

describe('a job', () => {
  it('is accepted with 202 and is in the queue', async () => {
    const answer = await a.as('desk').post('/jobs/submit', job())
    expect(answer.status).toBe(202)
    const accepted = documented('post', '/jobs/submit', answer) as { job_id: string }
    expect(accepted).toEqual({
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'queued',
      queue_position: expect.any(Number),
      estimated_wait_seconds: expect.any(Number),
    })
    const status = await a.as('desk').get(`/jobs/${accepted.job_id}`)
    expect([status.status, documented('get', '/jobs/{job_id}', status)]).toEqual([
      200,
      { job_id: accepted.job_id, status: 'queued', citizen_code: 'C-17', queued_at: moment, started_at: null, worker_id: null },
    ])
  })

  it('is accepted with the required members only, with unknown members, and with text that is not an image', async () => {
    const {
      cni_verso_b64: _,
      callback_url: __,
      priority: ___,
      ...minimal
    } = job({ selfie_b64: 'no image', declared_identity: { first_name: '', last_name: 'x' } })
    expect((await a.as('desk').post('/jobs/submit', { ...minimal, more: { of: 'this' } })).status).toBe(202)
  })

  it('returns lone surrogates and NUL unchanged', async () => {
    const answer = await a.as('desk').post('/jobs/submit', job({ citizen_code: 'C\u0000\ud800' }))
    expect(answer.status).toBe(202)
    const { job_id } = answer.json() as { job_id: string }
    expect((await a.as('desk').get(`/jobs/${job_id}`)).json()).toMatchObject({ citizen_code: 'C\u0000\ud800' })
  })

  it('of another client is not found, and an unknown one neither', async () => {
    const id = await submitted('desk')
    for (const answer of [await a.as('border').get(`/jobs/${id}`), await a.as('desk').get('/jobs/no-such-job')])
      expect([answer.status, answer.json()]).toEqual([404, { detail: 'Job not found' }])
    expect((await a.as('all').get(`/jobs/${id}`)).status).toBe(200)
  })

  it('is submitted only with a key that has the scope', async () => {
    const answer = await a.as('reader').post('/jobs/submit', job())
    expect([answer.status, answer.json()]).toEqual([403, { detail: expect.any(String) }])
  })
})

describe('a batch', () => {
  it('is accepted whole, in its order', async () => {
    const answer = await a.as('border').post('/jobs/submit-batch', { jobs: [job(), job({ citizen_code: 'C-18' })] })
    const body = documented('post', '/jobs/submit-batch', answer) as { job_ids: string[] }
    expect([answer.status, body]).toEqual([
      202,
      {
        batch_id: expect.any(String),
        job_ids: [expect.any(String), expect.any(String)],
        total: 2,
        queued: 2,
        queue_depth: expect.any(Number),
      },
    ])
    const second = await a.as('border').get(`/jobs/${body.job_ids[1]}`)
    expect(second.json()).toMatchObject({ citizen_code: 'C-18' })
  })

  it('may be empty', async () => {
    const answer = await a.as('border').post('/jobs/submit-batch', { jobs: [] })
    expect([answer.status, answer.json()]).toMatchObject([202, { job_ids: [], total: 0, queued: 0 }])
  })

  it('is refused above the configured size', async () => {
    const answer = await a.as('border').post('/jobs/submit-batch', { jobs: Array.from({ length: 6 }, () => job()) })
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { detail: [{ type: 'too_long', loc: ['body', 'jobs'], ctx: { max_length: 5 } }] },
    ])
  })
})

describe('results', () => {
  it('have the checks that ran, omit those that did not, and are returned again until they are acknowledged', async () => {
    const [first, second] = [await submitted(), await submitted()]
    await a.finish(second, reviewed)
    await a.finish(first, failed)
    const poll = await resultsOf('desk')
    expect(poll).toEqual({ results: expect.any(Array), total_ready: 2, returned: 2, queue_depth: expect.any(Number), workers_active: 0 })
    expect(poll.results).toEqual([
      {
        job_id: second,
        citizen_code: 'C-17',
        status: 'completed',
        outcome: 'pending_review',
        completed_at: moment,
        processing_time_ms: expect.any(Number),
        failure_reason: null,
        cross_validations: {
          reasons: ['ocr_unreadable'],
          data_comparison: { first_name: { result: 'unidentified' }, date_of_birth: { result: 'clear' } },
          image_integrity: {
            image_quality: {
              result: 'consider',
              breakdown: { selfie: { result: 'clear', properties: { sharpness: 0, format: 'jpeg' } }, front: { result: 'consider' } },
              properties: { worst: 0.25 },
            },
          },
          face_comparison: { face_match: { result: 'clear' } },
        },
        scores: { overall: 0, face_match: 0.91 },
      },
      {
        job_id: first,
        citizen_code: 'C-17',
        status: 'error',
        outcome: 'error',
        completed_at: moment,
        processing_time_ms: expect.any(Number),
        failure_reason: 'image_unreadable: selfie',
        cross_validations: {},
        scores: {},
      },
    ])
    expect(await resultsOf('desk', 1)).toMatchObject({ results: [{ job_id: second }], total_ready: 2, returned: 1 })
    expect(await resultsOf('border')).toMatchObject({ results: [], total_ready: 0 })
    const foreign = await a.as('border').post('/jobs/ack', { job_ids: [first] })
    expect(documented('post', '/jobs/ack', foreign)).toEqual({ acked: 0, not_found: 1 })
    const ack = await a.as('desk').post('/jobs/ack', { job_ids: [second, second, 'unknown'] })
    expect([ack.status, ack.json()]).toEqual([200, { acked: 1, not_found: 1 }])
    expect((await a.as('desk').post('/jobs/ack', { job_ids: [second] })).json()).toEqual({ acked: 0, not_found: 1 })
    expect(await resultsOf('desk')).toMatchObject({ results: [{ job_id: first }], total_ready: 1 })
    expect((await a.as('desk').get(`/jobs/${second}`)).json()).toMatchObject({
      status: 'completed',
      worker_id: 'host-1-abcd',
      started_at: moment,
    })
    await a.as('all').post('/jobs/ack', { job_ids: [first] })
    expect(await resultsOf('desk')).toMatchObject({ results: [], total_ready: 0, returned: 0 })
  })

  it('are returned after nine failed attempts, and report an error for a job that fails every attempt', async () => {
    const [spared, doomed] = [await submitted(), await submitted()]
    for (let n = 0; n < 9; n++) await a.interrupt(spared)
    await a.finish(spared, reviewed)
    for (let n = 0; n < 11; n++) await a.interrupt(doomed)
    expect(await resultsOf('desk')).toMatchObject({
      results: [
        { job_id: spared, outcome: 'pending_review', failure_reason: null },
        { job_id: doomed, outcome: 'error', failure_reason: expect.stringMatching(/^too_many_attempts: /) },
      ],
    })
    await a.as('desk').post('/jobs/ack', { job_ids: [spared, doomed] })
  })
})

describe('anonymous access', () => {
  it('returns the version', async () => {
    const answer = await a.call('/version')
    expect([answer.status, documented('get', '/version', answer)]).toEqual([
      200,
      {
        name: 'civigraph-verification',
        version: '1.0.0',
        api_version: '1.0.0',
        commit: 'test',
        schema_level: 1,
        models: expect.any(Object),
      },
    ])
    expect((await a.call('/version', { headers: { 'If-None-Match': answer.headers.etag ?? '' } })).status).toBe(304)
  })

  it('returns a page', async () => {
    const { status, headers, text } = await a.call('/')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const path of ['/jobs/submit', '/jobs/submit-batch', '/jobs/results', '/jobs/ack', '/jobs/{job_id}']) expect(text).toContain(path)
  })

  it('returns the OpenAPI document, with every documented operation, and marked extensions', async () => {
    const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ is: `${method} ${path}`, ours: 'x-civigraph-extension' in operation })),
    )
    expect(
      operations
        .filter(({ ours }) => !ours)
        .map(({ is }) => is)
        .sort(),
    ).toEqual([
      'get /',
      'get /health',
      'get /jobs/results',
      'get /jobs/{job_id}',
      'get /version',
      'post /jobs/ack',
      'post /jobs/submit',
      'post /jobs/submit-batch',
    ])
  })

  it('returns health, which is down without the database; requests are then 503', async () => {
    const up = await a.call('/health')
    expect([up.status, documented('get', '/health', up)]).toMatchObject([
      200,
      { checks: { database: { status: 'ok', engine: 'postgresql' }, queue: { status: 'ok' } } },
    ])
    await a.breakDatabase()
    const down = await a.call('/health')
    expect([down.status, documented('get', '/health', down)]).toMatchObject([
      503,
      { status: 'down', checks: { database: { status: 'down' } } },
    ])
    const refused = await a.as('desk').post('/jobs/submit', job())
    expect([refused.status, refused.headers['retry-after'], refused.json()]).toEqual([503, '1', { detail: expect.any(String) }])
  })
})
