import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresImageVault } from '../../../engines/image-vault/postgres-image-vault.ts'
import { bullmqJobQueue } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { eq } from '../../../engines/relational/drizzle.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { eraseCitizen } from '../../../subgraphs/verification/citizens/erase-citizen.ts'
import { SubmitJobs } from '../../../subgraphs/verification/intake/submit-jobs.ts'
import { verificationJob } from '../../../subgraphs/verification/tables.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { newJob } from '../../support/samples/new-job.ts'

const jobOf = (citizenCode: string) => newJob(citizenCode, { problem: 'invalid_base64' })

for (const engine of relationalEngines()) {
  describe(`the Idempotency-Key of an erased citizen on ${engine.name}`, () => {
    let opened: Awaited<ReturnType<typeof openMigrated>>
    let jobs: SubmitJobs
    let erase: (code: string) => Promise<number>
    beforeAll(async () => {
      opened = await openMigrated(engine)
      const { database, url } = opened
      // unavailable: jobs are accepted without the queue
      const queue = bullmqJobQueue({ name: 'jobs', connection: { kind: 'postgres', url: () => url }, log })
      const vault = postgresImageVault({ database, key: randomBytes(32) })
      jobs = new SubmitJobs({ database, queue, vault, clock: systemClock, log })
      erase = async (code) => (await eraseCitizen({ database, vault }, code, async () => undefined)).length
    })
    afterAll(() => opened?.[Symbol.asyncDispose]())
    const jobsOf = (code: string) => opened.database.orm.select().from(verificationJob).where(eq(verificationJob.citizenCode, code))

    it('still returns the other jobs of its batch, and does not submit the erased one again', async () => {
      const batch = ['one', 'two', 'three'].map(jobOf)
      const submit = () => jobs.submit({ owner: 'bank', batchId: randomUUID(), idempotencyKey: 'batch' }, batch)
      const first = await submit()
      expect(await erase('two')).toBe(1)
      const again = await submit()
      expect(again.batchId).toBe(first.batchId)
      expect(again.rows.map(({ id }) => id)).toEqual([first.rows[0]?.id, first.rows[2]?.id])
      expect(await jobsOf('two')).toEqual([])
    })

    it('counts as unused when all its jobs are erased', async () => {
      const submit = () => jobs.submit({ owner: 'bank', batchId: null, idempotencyKey: 'single' }, [jobOf('four')])
      const first = await submit()
      expect(await erase('four')).toBe(1)
      const again = await submit()
      expect(again.rows).toHaveLength(1)
      expect(again.rows[0]?.id).not.toBe(first.rows[0]?.id)
    })
  })
}
