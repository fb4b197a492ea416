import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateHolder } from '../../demonstration/documents/holder.ts'
import { linesTd3 } from '../../demonstration/documents/machine-readable-lines.ts'
import { vaultKeys } from '../../engines/image-vault/vault-keys.ts'
import { openTemplate } from '../../subgraphs/verification/duplicates/face-template.ts'
import type { Step } from '../../subgraphs/verification/vocabulary.ts'
import { makeChip } from '../support/chips/chip.ts'
import { newCountry } from '../support/chips/country.ts'
import { openReceiver, type Receiver } from '../support/clients/callback-receiver.ts'
import { tokenOf } from '../support/clients/content-client.ts'
import { openTraceCollector, type TraceCollector } from '../support/clients/trace-collector.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { embeddedUrl } from '../support/engines/databases.ts'
import { recordsOf } from '../support/engines/redis/records.ts'
import type { System } from '../support/processes/platform.ts'
import { setups, startSystem } from '../support/processes/start-system.ts'
import { framesOf } from '../support/samples/challenge-frames.ts'
import { drawnPerson, jobOf } from '../support/samples/people.ts'
import { PlantedSecrets } from '../support/samples/planted-search.ts'
import { withBarcode } from '../support/samples/printed-barcode.ts'

const word = (name: string): string => `${name}${randomBytes(12).toString('hex')}`

describe.each(setups())('personal data, $name', ({ layout, engines }) => {
  const secrets = {
    firstName: word('First'),
    lastName: word('Last'),
    image: word('Image'),
    broken: word('Broken'),
    chip: word('Chip').toUpperCase(),
    barcode: word('Barcode'),
  }
  const deduplicationKey = randomBytes(32)
  const control = word('CIT-')
  const planted = new PlantedSecrets(secrets)
  const controls = new PlantedSecrets({ control })
  let system: System
  let client: VerificationClient
  let receiver: Receiver
  let collector: TraceCollector
  let database: pg.Client
  /** The database's folder; and its write-ahead log from the start of the platform on. */
  let folder: string
  let log: { readonly folder: string; readonly from: string }
  let ids: readonly string[]
  beforeAll(async () => {
    receiver = await openReceiver()
    collector = await openTraceCollector()
    system = await startSystem({
      layout,
      engines,
      components: ['verification', 'administration'],
      env: {
        LOG_LEVEL: 'trace',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        REVIEW_RETENTION_DAYS: '1',
        // drawn cards have more detail than photographs
        VERIFICATION_THRESHOLDS: 'pageRaster=9,pageBars=1',
        DEDUPLICATION: 'on',
        DEDUPLICATION_KEY: deduplicationKey.toString('base64'),
      },
    })
    client = new VerificationClient(system)
    database = new pg.Client({ connectionString: system.env.DATABASE_URL ?? (await embeddedUrl(system.dataDir)) })
    await database.connect()
    const { rows } = await database.query<{ folder: string; own: string; from: string }>(
      `select current_setting('data_directory') as folder, pg_walfile_name(pg_current_wal_lsn()) as from,
        (select 'base/' || oid from pg_database where datname = current_database()) as own`,
    )
    const [{ folder: all, own, from } = { folder: '', own: '', from: '' }] = rows
    // on a shared server only this platform's data is read
    folder = engines === 'real' ? join(all, own) : all
    log = { folder: join(all, 'pg_wal'), from }
  })
  afterAll(async () => {
    await database?.end()
    await system?.stop()
    await receiver?.[Symbol.asyncDispose]()
    await collector?.[Symbol.asyncDispose]()
  })

  /** Searches every place; state in memory is written to disk first. */
  const everywhere = async (search: PlantedSecrets): Promise<readonly string[]> => {
    await database.query('checkpoint')
    const metrics = system.processes.flatMap(({ output }) => /metrics\s+(http\S+)/.exec(output())?.[1] ?? [])
    const pages = await Promise.all(metrics.map(async (url) => [url, await (await fetch(url)).text()] as const))
    return [
      ...(await search.inTables(database)),
      ...(await search.inFiles(folder)),
      ...(await search.inFiles(log.folder, (name) => name >= log.from)),
      ...(await search.inFiles(system.dataDir)),
      ...(engines === 'real' ? search.in(await recordsOf(system.env)).map((secret) => `Redis: ${secret}`) : []),
      ...system.processes.flatMap(({ roles, output }) => search.in(output()).map((secret) => `log of ${roles.join(' ')}: ${secret}`)),
      ...pages.flatMap(([url, text]) => search.in(text).map((secret) => `${url}: ${secret}`)),
      ...search.in(collector.text()).map((secret) => `span: ${secret}`),
      ...receiver.received.flatMap(({ body, headers }) =>
        search.in(JSON.stringify({ body, headers })).map((secret) => `callback: ${secret}`),
      ),
    ]
  }
  const withBytes = (image: unknown, bytes: string): string =>
    Buffer.concat([Buffer.from(String(image), 'base64'), Buffer.from(bytes)]).toString('base64')

  /** Submits a chip with a name in its machine-readable zone and more data behind its portrait. @returns the id of the job */
  const submitWithChip = async (job: Record<string, unknown>): Promise<string> => {
    const portrait = Buffer.concat([Buffer.from(String(job.selfie_b64), 'base64'), Buffer.from(secrets.chip)])
    const files = makeChip({ signer: newCountry('SN').signer, lines: linesTd3(generateHolder(5, { lastName: secrets.chip })), portrait })
    const input = {
      citizenCode: control,
      documentType: 'NATIONAL_ID',
      countryCode: 'SN',
      selfie: job.selfie_b64,
      documentFront: job.cni_recto_b64,
      declaredIdentity: { firstName: 'A', lastName: 'B' },
      chip: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')])),
    }
    const query = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': system.apiKey },
      body: JSON.stringify({ query, variables: { input } }),
    })
    const { data } = (await response.json()) as { data: { submitVerification: { job: { id: string } } } }
    return data.submitVerification.job.id
  }

  it('is in no table, queue, log, span, metric, file or write-ahead log while a job waits and after its end', {
    timeout: 360_000,
  }, async () => {
    const job = await jobOf(5, { citizen_code: control, callback_url: receiver.url })
    const identity = { ...(job.declared_identity as object), first_name: secrets.firstName, last_name: secrets.lastName }
    const genuine = {
      ...job,
      declared_identity: identity,
      selfie_b64: withBytes(job.selfie_b64, secrets.image),
      cni_recto_b64: withBytes(job.cni_recto_b64, secrets.image),
      cni_verso_b64: (await withBarcode(Buffer.from(String(job.cni_verso_b64), 'base64'), secrets.barcode)).toString('base64'),
    }
    const broken = { ...genuine, selfie_b64: `${secrets.broken} ***` }
    const { body } = await client.submitBatch([genuine, broken])
    const withChip = await submitWithChip(job)
    expect(await planted.inTables(database)).toEqual([])
    ids = [...body.job_ids, withChip]
    const results = await client.untilFinished(ids)
    expect([...results.values()].map(({ status }) => status).sort()).toEqual(['completed', 'completed', 'error'])
    await receiver.until(2)
    // also for refused and failed jobs
    await client.request('POST', '/jobs/submit', { ...genuine, document_type: secrets.lastName })
    await client.request('POST', '/jobs/submit', { ...genuine, declared_identity: { first_name: secrets.firstName } })
    // the worker's spans of these jobs have been exported
    await expect.poll(() => collector.spans.filter(({ name }) => name === 'verification').length).toBeGreaterThan(2)
    expect(await everywhere(planted)).toEqual([])
    // a control: the search finds data that is present
    expect((await everywhere(controls)).map((find) => find.replace(/^.*\//, ''))).toEqual(
      expect.arrayContaining(['public.verification_job: control', expect.stringMatching(/^[0-9A-F]{24}: control$/)]),
    )
  })

  it('has no sealed images after the job has ended, and no sealed record after its acknowledgement', async () => {
    const records = async () =>
      (await database.query<{ record: string }>('select record from vault_record order by record')).rows.map((row) => row.record)
    expect(await records()).toEqual(['result', 'result', 'result'])
    await client.acknowledge(ids)
    expect(await records()).toEqual([])
  })

  it('has an audit record of each read and acknowledgement of results', async () => {
    const { rows } = await database.query<{ action: string; service: string; jobs: string[] }>(
      `select distinct action, service, details->'jobs' as jobs from audit_record where action like 'verification.%' and service is not null`,
    )
    expect(rows).toContainEqual({ action: 'verification.acknowledge', service: 'development', jobs: expect.arrayContaining([...ids]) })
    expect(rows).toContainEqual({ action: 'verification.results.read', service: 'development', jobs: expect.arrayContaining([...ids]) })
  })

  const send = async <Data>(query: string, variables: object, headers: Record<string, string>) => {
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as { data: Data; errors?: { extensions: { code: string } }[] }
  }
  const asAdmin = async (): Promise<Record<string, string>> => ({ authorization: `Bearer ${await tokenOf(system)}` })

  it('is erased with its citizen, by a super_admin only', async () => {
    const erase = 'mutation ($code: String!) { eraseCitizen(input: { code: $code }) { citizen { code } erasedJobs } }'
    expect((await send(erase, { code: control }, { 'x-service-api-key': system.apiKey })).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    const job = await jobOf(5, { citizen_code: control, callback_url: receiver.url })
    const waiting = await client.request<{ job_id: string }>('POST', '/jobs/submit', job, { 'Idempotency-Key': 'erased' })

    const admin = await asAdmin()
    const erased = await send<{ eraseCitizen: { citizen: { code: string }; erasedJobs: number } }>(erase, { code: control }, admin)
    expect(erased.data.eraseCitizen).toEqual({ citizen: { code: control }, erasedJobs: 4 })
    expect(await controls.inTables(database)).toEqual([])
    expect((await client.request('GET', `/jobs/${waiting.body.job_id}`)).status).toBe(404)
    const remaining = await database.query('select job_id from vault_record union all select job_id from verification_callback')
    expect(remaining.rows).toEqual([])
    expect((await send<{ eraseCitizen: { erasedJobs: number } }>(erase, { code: control }, admin)).data.eraseCitizen.erasedJobs).toBe(0)
    const { rows } = await database.query(
      `select subject is not null as person, target, details from audit_record where action = 'citizen.erase' order by at`,
    )
    expect(rows).toMatchObject([
      { person: true, details: { jobs: 4 } },
      { person: true, details: { jobs: 0 } },
    ])
    expect(rows[0].target).toBe(rows[1].target)
    // the Idempotency-Key is unused again
    expect((await client.request<{ job_id: string }>('POST', '/jobs/submit', job, { 'Idempotency-Key': 'erased' })).body.job_id).not.toBe(
      waiting.body.job_id,
    )
  })

  it('is visible to its reviewer only, and is erased with the decision', { timeout: 360_000 }, async () => {
    const sheet = await sharp({ create: { width: 1000, height: 640, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    const citizen = word('CIT-')
    const job = await jobOf(5, { citizen_code: citizen, callback_url: receiver.url })
    const { body } = await client.submit({
      ...job,
      declared_identity: { ...(job.declared_identity as object), first_name: secrets.firstName, last_name: secrets.lastName },
      selfie_b64: withBytes(job.selfie_b64, secrets.image),
      cni_recto_b64: withBytes(sheet.toString('base64'), secrets.image),
      cni_verso_b64: undefined,
    })
    const id = body.job_id
    const records = async (): Promise<readonly string[]> => {
      const { rows } = await database.query<{ record: string }>('select record from vault_record where job_id = $1 order by record', [id])
      return rows.map(({ record }) => record)
    }
    expect((await client.untilFinished([id])).get(id)).toMatchObject({ outcome: 'pending_review' })
    expect(await records()).toEqual(['result', 'review', 'submission'])
    const admin = await asAdmin()
    await send('mutation ($id: ID!) { claimReview(input: {jobId: $id}) { review { job { id } } } }', { id }, admin)
    const reviewQuery = 'query ($id: ID!) { reviewImages(jobId: $id) { images { path } declaredIdentity { firstName } } }'
    const { data } = await send<{ reviewImages: { images: { path: string }[]; declaredIdentity: object } }>(reviewQuery, { id }, admin)
    expect(data.reviewImages.declaredIdentity).toEqual({ firstName: secrets.firstName })
    const image = await fetch(system.rest.verification + data.reviewImages.images[0]?.path, { headers: admin })
    expect(Buffer.from(await image.arrayBuffer()).includes(secrets.image)).toBe(true)
    expect(await everywhere(planted)).toEqual([])

    const input = { jobId: id, decision: 'REJECTED', reason: 'OTHER', note: `${secrets.firstName} ${secrets.lastName}` }
    await send('mutation ($input: DecideReviewInput!) { decideReview(input: $input) { settled } }', { input }, admin)
    expect(await records()).toEqual(['notes', 'result'])
    expect((await client.untilFinished([id])).get(id)).toMatchObject({ outcome: 'rejected' })
    expect(await everywhere(planted)).toEqual([])
    await send('mutation ($code: String!) { eraseCitizen(input: { code: $code }) { erasedJobs } }', { code: citizen }, admin)
    expect(await records()).toEqual([])
    const { rows } = await database.query(
      'select job_id from verification_review union all select job_id from verification_review_decision union all select job_id from verification_review_case',
    )
    expect(rows).toEqual([])
  })

  it('includes the face of a verified citizen only in sealed form, and its code is visible to a reviewer only', {
    timeout: 360_000,
  }, async () => {
    const [first, second] = [word('CIT-'), word('CIT-')]
    const submitted = async (citizenCode: string, more: object = {}): Promise<string> => {
      const { holder, selfie, front, back } = await drawnPerson(23)
      const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
      const { firstName, lastName, dateOfBirth } = holder
      const input = {
        ...{ citizenCode, documentType: 'NATIONAL_ID', countryCode: holder.issuingCountry },
        ...{ selfie: base64(selfie), documentFront: base64(front), ...(back && { documentBack: base64(back) }) },
        declaredIdentity: { firstName, lastName, dateOfBirth },
        callbackUrl: receiver.url,
        ...more,
      }
      const query = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'
      const { data } = await send<{ submitVerification: { job: { id: string } } }>(query, { input }, { 'x-service-api-key': system.apiKey })
      return data.submitVerification.job.id
    }
    const finished = async (id: string) => (await client.untilFinished([id])).get(id)

    const start = 'mutation ($code: String!) { startLivenessChallenge(input: { citizenCode: $code }) { challenge { nonce steps } } }'
    const { data } = await send<{ startLivenessChallenge: { challenge: { nonce: string; steps: string[] } } }>(
      start,
      { code: first },
      { 'x-service-api-key': system.apiKey },
    )
    const { nonce, steps } = data.startLivenessChallenge.challenge
    const frames = await framesOf(
      23,
      steps.map((step) => step.toLowerCase() as Step),
    )
    const image = (frame: Buffer): string => Buffer.concat([frame, Buffer.from(secrets.image)]).toString('base64')
    const listed = await submitted(first, {
      liveness: { nonce, frames: frames.map((frame, index) => ({ image: image(frame), atMs: index })) },
    })
    expect(await finished(listed)).toMatchObject({ outcome: 'verified' })

    const { rows } = await database.query<{ id: string; owner: string; key_id: string; wrapped_key: Buffer; sealed: Buffer }>(
      'select id, owner, key_id, wrapped_key, sealed from verification_face_template where citizen_code = $1',
      [JSON.stringify(first)],
    )
    const [{ id, owner, key_id: keyId, wrapped_key: wrappedKey, sealed } = expect.fail('no face is stored')] = rows
    const holder = { owner, citizenCode: first, model: 'dlib' }
    const face = openTemplate(vaultKeys(deduplicationKey), Number(id), holder, { keyId, wrappedKey, sealed })
    const inClear = new PlantedSecrets({
      image: secrets.image,
      face: Buffer.from(face.buffer, 0, 64),
      number: String(face[5]),
      another: String(face[77]),
    })
    expect(await everywhere(inClear)).toEqual([])

    const again = await submitted(second)
    const result = await finished(again)
    expect(result).toMatchObject({ outcome: 'pending_review', cross_validations: { reasons: ['possible_duplicate'] } })
    expect(JSON.stringify(result)).not.toContain(first)
    expect(receiver.received.map(({ body }) => body).join()).not.toContain(first)
    const admin = await asAdmin()
    await send('mutation ($id: ID!) { claimReview(input: {jobId: $id}) { review { job { id } } } }', { id: again }, admin)
    const reviewQuery = 'query ($id: ID!) { reviewImages(jobId: $id) { possibleDuplicates { code } } }'
    const response = await send<{ reviewImages: { possibleDuplicates: object[] } }>(reviewQuery, { id: again }, admin)
    expect(response.data.reviewImages.possibleDuplicates).toEqual([{ code: first }])
    expect(await everywhere(inClear)).toEqual([])

    for (const code of [first, second])
      await send('mutation ($code: String!) { eraseCitizen(input: { code: $code }) { erasedJobs } }', { code }, admin)
    const remaining = await database.query(
      `select citizen_code from verification_face_template where citizen_code = any ($1)
        union all select citizen_code from liveness_challenge where citizen_code = any ($1)`,
      [[first, second].map((code) => JSON.stringify(code))],
    )
    expect(remaining.rows).toEqual([])
  })
})
