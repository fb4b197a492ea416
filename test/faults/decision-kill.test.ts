import pg from 'pg'
import { expect, it } from 'vitest'
import { reviewerToken } from '../support/clients/content-client.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { embeddedUrl, removeDataDir, temporaryDataDir } from '../support/engines/databases.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { jobOf } from '../support/samples/people.ts'

it('kill -9 in the middle of a decision leaves no trace of it, and the reviewer can decide again', { timeout: 400_000 }, async () => {
  await using open = new AsyncDisposableStack()
  const dataDir = open.adopt(await temporaryDataDir(), removeDataDir)
  const portBase = await freePortBase()
  const start = (): Promise<System> =>
    startSystem({ components: ['verification', 'administration'], dataDir, portBase, env: { REVIEW_RETENTION_DAYS: '1' } })
  const before = await start()
  const token = await reviewerToken(before)
  const send = async (query: string, variables: object): Promise<{ readonly data: unknown }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(before.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    return (await response.json()) as { readonly data: unknown }
  }
  const { cni_verso_b64: _, ...frontAlone } = await jobOf(5)
  const client = new VerificationClient(before)
  const { body } = await client.submit(frontAlone)
  const jobId = body.job_id
  expect((await client.untilFinished([jobId])).get(jobId)).toMatchObject({ outcome: 'pending_review' })
  expect(await send('mutation ($jobId: ID!) { claimReview(input: {jobId: $jobId}) { review { claim { isMine } } } }', { jobId })).toEqual({
    data: { claimReview: { review: { claim: { isMine: true } } } },
  })

  const connected = async (): Promise<pg.Client> => {
    const database = new pg.Client({ connectionString: await embeddedUrl(dataDir) })
    // otherwise the platform stops its database first
    database.on('error', () => undefined)
    await database.connect()
    open.defer(() => database.end())
    return database
  }
  // the statistics view does not change within a transaction
  const [database, holder] = [await connected(), await connected()]
  const counted = async (query: string): Promise<number> => (await database.query<{ n: number }>(query, [jobId])).rows[0]?.n ?? 0
  const decisions = () => counted('select count(*)::int as n from verification_review_decision where job_id = $1')
  const events = () => counted(`select count(*)::int as n from event where topic = 'verification' and id = $1`)
  const waiting = async () =>
    (await database.query(`select pid from pg_stat_activity where wait_event_type = 'Lock' and state = 'active'`)).rows.length

  // the decision, the review and the job are written before the images are erased
  await holder.query('begin')
  await holder.query('select record from vault_record where job_id = $1 for update', [jobId])
  const text = 'mutation ($input: DecideReviewInput!) { decideReview(input: $input) { settled } }'
  const decision = { input: { jobId, decision: 'REJECTED', reason: 'DOCUMENT_UNUSABLE' } }
  const lost = send(text, decision).then(
    () => 'answered',
    () => 'lost',
  )
  await expect.poll(waiting).toBe(1)
  const [running] = before.processes
  running?.child.kill('SIGKILL')
  await running?.exited
  expect(await lost).toBe('lost')
  await holder.query('rollback')

  const after = await start()
  open.use(after)
  await expect.poll(waiting).toBe(0)
  expect([await decisions(), await events()]).toEqual([0, 1])
  const imagesQuery = 'query ($jobId: ID!) { reviewDecisions(jobId: $jobId) { decision } reviewImages(jobId: $jobId) { images { image } } }'
  expect(await send(imagesQuery, { jobId })).toEqual({
    data: { reviewDecisions: [], reviewImages: { images: [{ image: 'SELFIE' }, { image: 'DOCUMENT_FRONT' }] } },
  })
  expect(await send(text, decision)).toEqual({ data: { decideReview: { settled: true } } })
  expect([await decisions(), await events()]).toEqual([1, 2])
  const own = new VerificationClient(after)
  await expect.poll(async () => (await own.results()).body.results.map(({ outcome }) => outcome)).toEqual(['rejected'])
})
