import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import countries from 'i18n-iso-countries'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Holder } from '../../../demonstration/documents/holder.ts'
import { linesTd1 } from '../../../demonstration/documents/machine-readable-lines.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'
import { readBuildInfo } from '../../../foundation/process/build-info.ts'
import type { SubmittedChip } from '../../../subgraphs/verification/submission/submission.ts'
import { type ActiveKey, curveKey } from '../../support/chips/active-key.ts'
import { makeChip } from '../../support/chips/chip.ts'
import { newCountry } from '../../support/chips/country.ts'
import { jpeg2000 } from '../../support/chips/jpeg2000.ts'
import { openTraceCollector, type TraceCollector } from '../../support/clients/trace-collector.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { Platform, System } from '../../support/processes/platform.ts'
import { startProcess } from '../../support/processes/platform-process.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { setups, startSystem } from '../../support/processes/start-system.ts'
import { drawnPerson, jobOf, selfieOf } from '../../support/samples/people.ts'

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe.each(setups('apart'))('a verification, $name', ({ layout, engines }) => {
  let own: System | undefined
  let system: Platform
  let client: VerificationClient
  let collector: TraceCollector
  beforeAll(async () => {
    collector = await openTraceCollector()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '100' }
    if (layout !== 'one') own = await startSystem({ layout, engines, components: ['verification', 'administration'], env })
    system = own ?? (await sharedPlatform('one'))
    client = new VerificationClient(system)
  })
  afterAll(async () => {
    collector.hang()
    await own?.stop()
    await collector[Symbol.asyncDispose]()
  })

  it('leads from submission to result to acknowledgement', async () => {
    const submitted = await client.submit(await jobOf(5, { citizen_code: 'CIT-0001' }))
    expect(submitted).toMatchObject({
      status: 202,
      body: { status: 'queued', queue_position: expect.any(Number), estimated_wait_seconds: expect.any(Number) },
    })
    const id = submitted.body.job_id

    const [result] = (await client.untilFinished([id])).values()
    expect(result).toMatchObject({ job_id: id, citizen_code: 'CIT-0001', status: 'completed', failure_reason: null })
    expect(result?.completed_at).toMatch(instant)
    expect(result?.scores.face_match).toBeGreaterThan(0.5)

    const status = await client.status(id)
    expect(status).toMatchObject({
      status: 200,
      body: { job_id: id, status: 'completed', citizen_code: 'CIT-0001', worker_id: expect.stringMatching(/-\d+-[0-9a-f]{4}$/) },
    })
    expect(status.body.queued_at).toMatch(instant)

    const before = await client.results()
    expect(before.body.returned).toBe(before.body.results.length)
    expect(before.body.workers_active).toBe(1)
    expect((await client.acknowledge([id, id, 'unknown'])).body).toEqual({ acked: 1, not_found: 1 })
    expect((await client.acknowledge([id])).body).toEqual({ acked: 0, not_found: 1 })
    const after = await client.results()
    expect(after.body.results.map((each) => each.job_id)).not.toContain(id)
    expect(after.body.total_ready).toBe(before.body.total_ready - 1)
    expect((await client.status(id)).body.status).toBe('completed')
  })

  it('rejects another person’s selfie with face_mismatch', async () => {
    const { body } = await client.submit({ ...(await jobOf(5)), selfie_b64: await selfieOf(23) })
    const [result] = (await client.untilFinished([body.job_id])).values()
    expect(result).toMatchObject({ status: 'completed', outcome: 'rejected' })
    expect(result?.cross_validations.reasons?.[0]).toBe('face_mismatch')
  })

  it('ends with status error and a failure_reason that names the field when a file is not an image', async () => {
    const job = await jobOf(5)
    const html = Buffer.from('<html><body>not an image</body></html>').toString('base64')
    const { body } = await client.submitBatch([
      { ...job, selfie_b64: 'this is no base64!' },
      { ...job, cni_recto_b64: html },
      { ...job, cni_verso_b64: '' },
    ])
    const results = await client.untilFinished(body.job_ids)
    const reasons = body.job_ids.map((id) => results.get(id)?.failure_reason ?? '')
    for (const result of results.values())
      expect(result).toMatchObject({ status: 'error', outcome: 'error', cross_validations: {}, scores: {} })
    expect(reasons[0]).toMatch(/^invalid_base64: .*selfie_b64/)
    expect(reasons[1]).toMatch(/^\w+: .*cni_recto_b64/)
    expect(reasons[2]).toMatch(/^empty_image: .*cni_verso_b64/)
  })

  it('finishes every job of a batch, oldest completion first', async () => {
    const job = await jobOf(5)
    const { body } = await client.submitBatch(
      // two slow jobs among six that end at once
      Array.from({ length: 8 }, (_, n) => ({
        ...job,
        ...(n % 4 === 0 ? {} : { selfie_b64: '?' }),
        citizen_code: `B-${n}`,
        priority: n % 2 === 0 ? 'high' : 'normal',
      })),
    )
    expect(body).toMatchObject({ total: 8, queued: 8, queue_depth: expect.any(Number) })
    expect(new Set(body.job_ids).size).toBe(8)
    await client.untilFinished(body.job_ids)
    const { results } = (await client.results(1000)).body
    const times = results.map((each) => each.completed_at)
    expect(times).toEqual([...times].sort())
    expect((await client.acknowledge(body.job_ids)).body).toEqual({ acked: 8, not_found: 0 })
  })

  it('returns strings that PostgreSQL cannot store unchanged', async () => {
    const code = 'a\u0000b\ud800c — ñ'
    const { body } = await client.submit({ ...(await jobOf(5)), citizen_code: code, selfie_b64: '?' })
    expect((await client.status(body.job_id)).body.citizen_code).toBe(code)
  })

  it('accepts a citizen code of any length', async () => {
    const code = Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))).toString('hex')
    const { status, body } = await client.submit({ ...(await jobOf(5)), citizen_code: code, selfie_b64: '?' })
    expect(status).toBe(202)
    expect((await client.status(body.job_id)).body.citizen_code).toBe(code)
  })

  it('is submitted over GraphQL without the fields that have defaults', async () => {
    const input = {
      citizenCode: 'G-1',
      documentType: 'PASSPORT',
      countryCode: 'SN',
      // base64 of no image
      selfie: 'AAAA',
      documentFront: 'AAAA',
      declaredIdentity: { firstName: 'Awa', lastName: 'Diop' },
    }
    const query =
      'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id status priority citizen { code } } } }'
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': system.apiKey },
      body: JSON.stringify({ query, variables: { input } }),
    })
    expect(await response.json()).toEqual({
      data: { submitVerification: { job: { id: expect.any(String), status: 'QUEUED', priority: 'NORMAL', citizen: { code: 'G-1' } } } },
    })
  })

  it('is decided by a chip with imported country certificates, and rejected for a modified chip', async () => {
    const { holder, selfie, front } = await drawnPerson(5)
    const code = countries.alpha3ToAlpha2(holder.issuingCountry) ?? ''
    const { authority, signer } = newCountry(code)
    const file = join(system.dataDir, 'country.der')
    await writeFile(file, authority.der)
    const key = curveKey({ curve: 'brainpoolP256r1' })
    const portrait = await jpeg2000(await drawFace(5, { brightness: 0.9 }))
    const chip = makeChip({ signer, lines: linesTd1(holder), portrait, dg14: key.dg14, dg15: key.dg15 })
    const submit = async (files: SubmittedChip, answeredBy?: ActiveKey) => {
      const texts = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]))
      const activeAuthentication = answeredBy && (await answerOf(system, answeredBy))
      return submitWithChip(system, holder, { selfie, front }, { ...texts, activeAuthentication })
    }
    const query = `query ($id: ID!) { verificationJob(id: $id) { outcome result { crossValidations { reasons
      chip { decisive outweighed dataGroups { result } signature { result } signer { result properties { key text } } activeAuthentication { result } portrait { result properties { key text } } } } } } }`
    const judged = async (id: string) => {
      await client.untilFinished([id])
      const { data } = await sendGraphql<{ verificationJob: unknown }>(system, query, { id })
      return data?.verificationJob
    }

    // the certificate of its country is not imported yet
    expect(await judged(await submit(chip))).toMatchObject({
      outcome: 'PENDING_REVIEW',
      result: { crossValidations: { reasons: expect.arrayContaining(['CHIP_SIGNER_UNKNOWN']), chip: { decisive: false } } },
    })
    const imported = startProcess(['csca', 'import', file], system.env)
    expect([await imported.exited, imported.output()]).toEqual([0, expect.stringContaining('certificates 1, ')])
    // the back of the card is missing: without a chip it would be left to review
    expect(await judged(await submit(chip, key))).toMatchObject({
      outcome: 'VERIFIED',
      result: {
        crossValidations: {
          reasons: [],
          chip: {
            decisive: true,
            outweighed: expect.arrayContaining(['MISSING_BACK']),
            dataGroups: { result: 'CLEAR' },
            signature: { result: 'CLEAR' },
            signer: { result: 'CLEAR', properties: [{ key: 'revocation', text: 'no_list' }] },
            activeAuthentication: { result: 'CLEAR' },
            portrait: { result: 'CLEAR' },
          },
        },
      },
    })
    // the same files on a chip that cannot sign the challenge
    expect(await judged(await submit(chip, curveKey({ curve: 'brainpoolP256r1' })))).toMatchObject({
      outcome: 'PENDING_REVIEW',
      result: {
        crossValidations: {
          reasons: expect.arrayContaining(['CHIP_NOT_GENUINE']),
          chip: { decisive: false, dataGroups: { result: 'CLEAR' }, activeAuthentication: { result: 'CONSIDER' } },
        },
      },
    })
    const another = makeChip({ signer, lines: linesTd1(holder), portrait: await drawFace(23) })
    expect(await judged(await submit({ ...chip, dg2: another.dg2 }))).toMatchObject({
      outcome: 'REJECTED',
      result: { crossValidations: { reasons: expect.arrayContaining(['CHIP_ALTERED']) } },
    })
    const { errors } = await sendGraphql(system, submitChip, {
      input: { ...graphInput(holder, { selfie, front }), chip: { sod: 'A'.repeat(13_000_000), dg1: '!', dg2: 'AAAA' } },
    })
    expect(errors?.[0]?.extensions.entries).toMatchObject([
      { code: 'too_long', path: ['chip', 'sod'] },
      { code: 'not_base64', path: ['chip', 'dg1'] },
    ])
  })

  it('returns 404 for a job that was not accepted', async () => {
    for (const id of ['0197b6a0-0000-7000-8000-000000000000', 'x', '\u0000']) {
      const { status, body } = await client.request('GET', `/jobs/${encodeURIComponent(id)}`)
      expect([status, body]).toEqual([404, { detail: 'Job not found' }])
    }
  })

  if (layout !== 'one')
    it('is one trace over all processes, without data of the citizen', async () => {
      const citizen = 'CIT-TRACED-4711'
      // the client starts the trace
      const [trace, caller] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
      const job = await jobOf(5, { citizen_code: citizen })
      const { body } = await client.request<{ job_id: string }>('POST', '/jobs/submit', job, { traceparent: `00-${trace}-${caller}-01` })
      await client.untilFinished([body.job_id])
      const step = (name: string, role: string) =>
        expect.poll(
          () => collector.spans.find((span) => span.name === name && span.roles.split(' ').includes(role) && span.traceId === trace),
          { timeout: 60_000 },
        )
      await step('POST /jobs/submit', 'rest:verification').toBeDefined()
      await step('mutation', 'rest:verification').toBeDefined()
      await step('fetch verification', 'rest:verification').toBeDefined()
      await step('subgraph verification', 'subgraph:verification').toBeDefined()
      await step('postgresql insert', 'subgraph:verification').toBeDefined()
      await step('verification', 'worker:verification').toBeDefined()
      await step('postgresql update', 'worker:verification').toBeDefined()
      const of = new Map(collector.spans.map((span) => [span.spanId, span]))
      const ancestors = (name: string): readonly string[] => {
        const names: string[] = []
        for (
          let span = collector.spans.findLast((each) => each.name === name && each.traceId === trace);
          span;
          span = of.get(span.parentSpanId ?? '')
        )
          names.push(span.name)
        return names
      }
      expect(ancestors('verification')).toEqual([
        'verification',
        'subgraph verification',
        'POST /graphql',
        'fetch verification',
        'mutation',
        'POST /jobs/submit',
      ])
      for (const secret of [citizen, body.job_id, client.key, 'select ', 'selfie']) expect(collector.text()).not.toContain(secret)
      // an unresponsive collector has no effect
      collector.hang()
      for (let n = 0; n < 20; n++) expect((await client.status(body.job_id)).status).toBe(200)
    })

  it('returns nothing to a wrong key', async () => {
    const stranger = new VerificationClient(system, 'wrong')
    const { status, headers, body } = await stranger.request('GET', '/jobs/results')
    expect([status, body, headers.get('www-authenticate')]).toEqual([401, { detail: 'Invalid API key' }, 'APIKey'])
  })

  it('is healthy and reports its version', async () => {
    await expect
      .poll(() => client.request('GET', '/health'))
      .toMatchObject({
        status: 200,
        body: { status: 'ok', version: readBuildInfo().version, checks: { database: { status: 'ok' }, queue: { status: 'ok' } } },
      })
    const version = await client.request('GET', '/version')
    expect(version).toMatchObject({
      status: 200,
      body: { version: readBuildInfo().version, api_version: '1.0.0', commit: expect.any(String), models: expect.any(Object) },
    })
  })
})

const submitChip = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'

interface GraphAnswer<Data> {
  readonly data: Data | null
  readonly errors?: readonly { readonly extensions: { readonly entries?: readonly unknown[] } }[]
}

async function sendGraphql<Data>(system: Platform, query: string, variables: object): Promise<GraphAnswer<Data>> {
  const response = await fetch(system.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': system.apiKey },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as GraphAnswer<Data>
}

interface Sides {
  readonly selfie: Uint8Array
  readonly front: Uint8Array
}

function graphInput(holder: Holder, { selfie, front }: Sides) {
  const { firstName, lastName, dateOfBirth, sex: gender, nationality } = holder
  return {
    citizenCode: 'CHIP-1',
    documentType: 'NATIONAL_ID',
    countryCode: holder.issuingCountry,
    selfie: Buffer.from(selfie).toString('base64'),
    documentFront: Buffer.from(front).toString('base64'),
    declaredIdentity: { firstName, lastName, dateOfBirth, gender, nationality },
  }
}

/** Signs a new challenge like the chip of this key. */
async function answerOf(system: Platform, key: ActiveKey): Promise<{ readonly nonce: string; readonly response: string }> {
  const { data } = await sendGraphql<{ startChipChallenge: { challenge: { nonce: string; bytes: string } } }>(
    system,
    'mutation { startChipChallenge(input: { citizenCode: "CHIP-1" }) { challenge { nonce bytes } } }',
    {},
  )
  const { nonce, bytes } = data?.startChipChallenge.challenge ?? expect.fail('no challenge')
  return { nonce, response: key.answer(Buffer.from(bytes, 'base64')).toString('base64') }
}

/** @returns the id of the job */
async function submitWithChip(system: Platform, holder: Holder, sides: Sides, chip: object): Promise<string> {
  const { data, errors } = await sendGraphql<{ submitVerification: { job: { id: string } } }>(system, submitChip, {
    input: { ...graphInput(holder, sides), chip },
  })
  if (data === null || errors !== undefined) throw new Error(JSON.stringify(errors))
  return data.submitVerification.job.id
}
