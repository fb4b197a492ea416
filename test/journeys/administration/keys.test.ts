import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { skippedWithout } from '../../support/engines/engines.ts'
import type { System } from '../../support/processes/platform.ts'
import { setups, startSystem } from '../../support/processes/start-system.ts'
import { jobOf } from '../../support/samples/people.ts'

const keys = { bank: 'submit+results', post: 'submit+results', registry: 'results:all', kiosk: 'submit', idle: 'votes:write' }
const keyOf = (name: string): string => `key-of-${name}`
const setting = Object.entries(keys)
  .map(([name, scopes]) => `${name}:${createHash('sha256').update(keyOf(name)).digest('hex')}:${scopes}`)
  .join(',')

/** The layout of several processes: one process forwards the caller to another. */
const inPieces = setups().filter(({ layout }) => layout !== 'one')
if (inPieces.length === 0) skippedWithout('the layout split', 'keys of several services')

describe.each(inPieces)('keys of several services, $name', ({ layout, engines }) => {
  let system: System
  const client = (name: keyof typeof keys): VerificationClient => new VerificationClient(system, keyOf(name))
  beforeAll(async () => {
    system = await startSystem({ layout, engines, components: ['verification'], env: { VERIFICATION_API_KEYS: setting } })
  })
  afterAll(() => system?.stop())

  it('limit every service to its own jobs, except one with the scope for all', async () => {
    const job = { ...(await jobOf(5)), cni_recto_b64: 'no image' }
    const ofBank = (await client('bank').submit(job)).body.job_id
    const ofPost = (await client('post').submit(job)).body.job_id
    await client('registry').untilFinished([ofBank, ofPost])

    const jobIdsFor = async (name: keyof typeof keys): Promise<readonly string[]> =>
      (await client(name).results()).body.results.map((result) => result.job_id)
    expect(await jobIdsFor('bank')).toEqual([ofBank])
    expect(await jobIdsFor('post')).toEqual([ofPost])
    expect(new Set(await jobIdsFor('registry'))).toEqual(new Set([ofBank, ofPost]))
    expect((await client('bank').results()).body.total_ready).toBe(1)

    expect(await client('post').request('GET', `/jobs/${ofBank}`)).toMatchObject({ status: 404, body: { detail: 'Job not found' } })
    expect((await client('registry').status(ofBank)).body.status).toBe('error')
    expect((await client('post').acknowledge([ofBank])).body).toEqual({ acked: 0, not_found: 1 })
    expect((await client('registry').acknowledge([ofBank, ofPost])).body).toEqual({ acked: 2, not_found: 0 })
    expect(await jobIdsFor('bank')).toEqual([])
  })

  it('permit only what their scopes list', async () => {
    const job = await jobOf(5)
    expect(await client('registry').request('POST', '/jobs/submit', job)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('scope submit') },
    })
    for (const name of ['kiosk', 'idle'] as const) {
      expect(await client(name).request('GET', '/jobs/results')).toMatchObject({ status: 403 })
      expect(await client(name).request('POST', '/jobs/ack', { job_ids: [] })).toMatchObject({ status: 403 })
    }
    expect(await client('idle').request('POST', '/jobs/submit', job)).toMatchObject({ status: 403 })
    expect((await client('kiosk').submit({ ...job, selfie_b64: '?' })).status).toBe(202)
  })

  it('are refused with equal responses, whatever is wrong with them', async () => {
    for (const wrong of ['', 'x', keyOf('bank').toUpperCase(), `${keyOf('bank')} `.repeat(2)]) {
      const answer = await new VerificationClient(system, wrong).request('POST', '/jobs/ack', { not: 'even valid' })
      expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([401, { detail: 'Invalid API key' }, 'APIKey'])
    }
  })

  it('decide over GraphQL as over REST', async () => {
    const send = async (name: keyof typeof keys, query: string) => {
      const headers = { 'content-type': 'application/json', 'x-service-api-key': keyOf(name) }
      const response = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query }) })
      return (await response.json()) as { data?: Record<string, unknown>; errors?: { extensions: { code: string } }[] }
    }
    const { body } = await client('bank').submit({ ...(await jobOf(5)), selfie_b64: '?' })
    const query = `{ verificationJob(id: "${body.job_id}") { id status } }`
    expect((await send('bank', query)).data).toMatchObject({ verificationJob: { id: body.job_id } })
    expect(await send('post', query)).toEqual({ data: { verificationJob: null } })
    expect((await send('idle', query)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})
