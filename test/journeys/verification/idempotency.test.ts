import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { layouts } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

const mismatch = [
  {
    type: 'idempotency_mismatch',
    loc: ['header', 'Idempotency-Key'],
    msg: 'This Idempotency-Key was used with other content',
  },
]

describe.each(layouts)('an Idempotency-Key, in layout %s', (layout) => {
  let client: VerificationClient
  let job: Record<string, unknown>
  beforeAll(async () => {
    client = new VerificationClient(await sharedPlatform(layout))
    job = { ...(await jobOf(5)), selfie_b64: 'no image', cni_recto_b64: 'x'.repeat(100_000) }
  })
  const submit = (body: object, key: string, path = '/jobs/submit') =>
    client.request<{ job_id: string; batch_id: string; job_ids: string[]; detail: unknown }>('POST', path, body, { 'Idempotency-Key': key })

  it('creates one job for 50 concurrent equal requests, and returns it to all of them', async () => {
    const key = randomUUID()
    const citizen = { ...job, citizen_code: `I-${key}` }
    // a request refused by an overloaded platform is sent again, as clients do
    const submitUntilAccepted = async () => {
      for (;;) {
        const answer = await submit(citizen, key)
        if (answer.status !== 503) return answer
        await sleep(200)
      }
    }
    const answers = await Promise.all(Array.from({ length: 50 }, submitUntilAccepted))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(202))
    const [id = ''] = new Set(answers.map(({ body }) => body.job_id))
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1)
    await client.untilFinished([id])
    const mine = (await client.results(1000)).body.results.filter(({ citizen_code }) => citizen_code === citizen.citizen_code)
    expect(mine.map(({ job_id }) => job_id)).toEqual([id])
    // also when the job is finished, and after its acknowledgement
    expect((await submit(citizen, key)).body.job_id).toBe(id)
    await client.acknowledge([id])
    expect((await submit({ ...citizen, priority: 'normal' }, key)).body.job_id).toBe(id)
  })

  it('refuses any other content, and accepts it under another key', async () => {
    const key = randomUUID()
    const { body } = await submit(job, key)
    const others = [
      { ...job, citizen_code: 'another' },
      { ...job, priority: 'high' },
      { ...job, callback_url: 'https://a.example/' },
      { ...job, cni_recto_b64: 'y'.repeat(100_000) },
      { ...job, declared_identity: { first_name: 'An', last_name: 'Other' } },
    ]
    for (const other of others) {
      expect(await submit(other, key)).toMatchObject({ status: 422, body: { detail: mismatch } })
      const accepted = await submit(other, randomUUID())
      expect(accepted.status).toBe(202)
      expect(accepted.body.job_id).not.toBe(body.job_id)
    }
    expect(await submit({ jobs: [job] }, key, '/jobs/submit-batch')).toMatchObject({ status: 422, body: { detail: mismatch } })
  })

  it('applies to a batch as a whole', async () => {
    const key = randomUUID()
    const jobs = [0, 1, 2].map((n) => ({ ...job, citizen_code: `B-${n}` }))
    const first = await submit({ jobs }, key, '/jobs/submit-batch')
    const again = await submit({ jobs }, key, '/jobs/submit-batch')
    expect([again.body.batch_id, again.body.job_ids]).toEqual([first.body.batch_id, first.body.job_ids])
    expect(await submit({ jobs: jobs.slice(1) }, key, '/jobs/submit-batch')).toMatchObject({ status: 422, body: { detail: mismatch } })
  })

  it('is 1 to 255 printable characters', async () => {
    for (const key of ['', 'é', 'x'.repeat(256)])
      expect(await submit(job, key)).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'string_pattern_mismatch', loc: ['header', 'Idempotency-Key'] }] },
      })
    expect((await submit(job, 'x'.repeat(255))).status).toBe(202)
  })
})
