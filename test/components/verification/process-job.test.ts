import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { threadedDocumentReader } from '../../../engines/document-reader/worker/threaded-document-reader.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import { postgresImageVault } from '../../../engines/image-vault/postgres-image-vault.ts'
import { bullmqJobQueue, bullmqJobWorker } from '../../../engines/job-queue/bullmq-job-queue.ts'
import type { JobHandler } from '../../../engines/job-queue/job-queue.ts'
import { eq } from '../../../engines/relational/drizzle.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { createVerificationWorker } from '../../../subgraphs/verification/index.ts'
import { SubmitJobs } from '../../../subgraphs/verification/intake/submit-jobs.ts'
import { registerJobMetrics } from '../../../subgraphs/verification/jobs/job-gauges.ts'
import { PollResults } from '../../../subgraphs/verification/jobs/poll-results.ts'
import { ProcessJob, type Verify } from '../../../subgraphs/verification/jobs/process-job.ts'
import { requeueJobs } from '../../../subgraphs/verification/jobs/requeue-jobs.ts'
import { countNewerJobs } from '../../../subgraphs/verification/jobs/waiting-jobs.ts'
import { jobFormat, verificationJob } from '../../../subgraphs/verification/tables.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { newJob } from '../../support/samples/new-job.ts'

const never = new AbortController().signal
const job = newJob('C', { bytes: randomBytes(10) })
/** The error of a worker whose engine is unavailable. */
const restMs = 50
const verified: Verify = async () => ({ outcome: 'verified', failureReason: null, crossValidations: null, scores: null })

for (const engine of relationalEngines()) {
  describe(`jobs on ${engine.name}`, () => {
    let opened: Awaited<ReturnType<typeof openMigrated>>
    const key = randomBytes(32)
    const parts: Part[] = []
    beforeAll(async () => {
      opened = await openMigrated(engine)
    })
    afterAll(() => opened?.[Symbol.asyncDispose]())
    // a worker scans the whole table for lost jobs: it must not find those of another test
    afterEach(async () => {
      for (const part of parts.splice(0).reverse()) await part.stop()
      await opened.database.orm.delete(verificationJob)
    })

    const started = async <Started extends Part>(part: Started): Promise<Started> => {
      await part.start(AbortSignal.timeout(60_000))
      parts.push(part)
      return part
    }
    /** A queue for one test, with all its jobs. */
    const open = async () => {
      const { database, url } = opened
      const connection = { kind: 'postgres', url: () => url } as const
      const name = randomUUID()
      const queue = await started(bullmqJobQueue({ name, connection, log }))
      const feed = relayEventFeed({ database, connection, log })
      const vault = postgresImageVault({ database, key })
      const engines = { database, queue, vault, feed, clock: systemClock, log, workerId: 'w' }
      const submit = async (count = 1): Promise<readonly string[]> => {
        const { rows } = await new SubmitJobs(engines).submit({ owner: 'bank', batchId: randomUUID() }, Array(count).fill(job))
        return rows.map(({ id }) => id)
      }
      const queueWorker = (handler: JobHandler): Part => bullmqJobWorker({ name, connection, log, concurrency: 1, handler, graceMs: 0 })
      return { ...engines, submit, queueWorker, work: (handler: JobHandler) => started(queueWorker(handler)) }
    }
    const jobOf = async (id: string) => {
      const [row] = await opened.database.orm.select().from(verificationJob).where(eq(verificationJob.id, id))
      if (row === undefined) throw new Error('there is no such job')
      return row
    }
    const change = (id: string, values: Partial<typeof verificationJob.$inferInsert>) =>
      opened.database.orm.update(verificationJob).set(values).where(eq(verificationJob.id, id))
    const anHourAgo = (): Date => new Date(Date.now() - 3_600_000)

    describe('during an outage', () => {
      const unavailable = async (): Promise<never> => {
        throw new EngineUnavailable('image vault')
      }
      const cases = [
        ['the sealed files are unavailable', (vault: object) => ({ vault: { ...vault, open: unavailable } })],
        ['the process has another key', () => ({ vault: postgresImageVault({ database: opened.database, key: randomBytes(32) }) })],
      ] as const
      it.each(cases)('wait, and are completed after it: %s', async (_, outage) => {
        const engines = await open()
        const [id = ''] = await engines.submit()
        const hindered = new ProcessJob({ ...engines, ...outage(engines.vault) } as typeof engines, verified, { restMs })
        for (let n = 0; n < 12; n++) {
          const from = performance.now()
          await expect(hindered.run(id, never)).rejects.toThrow()
          // a worker whose engine is unavailable does not claim all jobs
          expect(performance.now() - from).toBeGreaterThan(0.9 * restMs)
          expect(await jobOf(id)).toMatchObject({ status: 'queued', outcome: null })
          expect(await hindered.run(id, never)).toBeUndefined()
          await change(id, { leaseUntil: null })
        }
        expect(await new ProcessJob(engines, verified).run(id, never)).toBeGreaterThan(0)
        expect(await jobOf(id)).toMatchObject({ status: 'completed', outcome: 'verified' })
      })
    })

    it.each([
      ['a bug', new TypeError('it is a bug')],
      ['images that break the thread of a model', new EngineUnavailable('document reader')],
    ])('end as an error with the cause after repeated failures: %s', async (_, thrown) => {
      const engines = await open()
      const [id = ''] = await engines.submit()
      const fails = async (): Promise<never> => {
        throw thrown
      }
      const failing = new ProcessJob(engines, fails, { restMs })
      for (let n = 0; n < 10; n++) await expect(failing.run(id, never)).rejects.toBe(thrown)
      await failing.run(id, never)
      const row = await jobOf(id)
      expect(row).toMatchObject({ status: 'error', outcome: 'error' })
      const results = await new PollResults(engines).of([row], never)
      expect(results.get(id)).toMatchObject({ failureReason: expect.stringMatching(/^too_many_attempts: /) })
    })

    it('are reported by state, with the age of the oldest queued job', async () => {
      const engines = await open()
      const [done = '', waiting = ''] = await engines.submit(2)
      await new ProcessJob(engines, verified).run(done, never)
      await change(waiting, { queuedAt: anHourAgo() })
      const registry = new Registry()
      registerJobMetrics(registry, engines.database)
      const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      expect(lines.map((line) => line.replace(/(oldest_job_seconds) 36\d\d\S*/, '$1'))).toEqual([
        'civigraph_verification_jobs{state="queued"} 1',
        'civigraph_verification_jobs{state="processing"} 0',
        'civigraph_verification_jobs{state="ready"} 1',
        'civigraph_verification_oldest_job_seconds',
        'civigraph_verification_workers 0',
        'civigraph_callbacks_due 0',
        'civigraph_callbacks_oldest_seconds 0',
      ])
    })

    it('of a newer release wait for a worker of that release, which completes each once', async () => {
      const engines = await open()
      const [newer = '', ours = ''] = await engines.submit(2)
      await change(newer, { format: jobFormat + 1, queuedAt: anHourAgo(), enqueuedAt: null })
      const older = new ProcessJob(engines, verified)
      const ofOlder: string[] = []
      const worker = await engines.work(async (id) => {
        if ((await older.run(id, never)) !== undefined) ofOlder.push(id)
      })
      await expect.poll(() => ofOlder).toEqual([ours])
      await worker.stop()
      expect(await requeueJobs(engines, true, never)).toBe(0)
      expect(await jobOf(newer)).toMatchObject({ status: 'queued', attempt: 0 })
      expect(await countNewerJobs(engines.database)).toBe(1)
      const ofNewRelease = { ...engines, format: jobFormat + 1 }
      await engines.work(async (id) => void (await new ProcessJob(ofNewRelease, verified).run(id, never)))
      expect(await requeueJobs(ofNewRelease, false, never)).toBeGreaterThan(0)
      await expect.poll(async () => (await jobOf(newer)).status).toBe('completed')
      expect(await jobOf(newer)).toMatchObject({ attempt: 1, outcome: 'verified' })
      expect(await countNewerJobs(engines.database)).toBe(0)
    })

    it('are left to other workers by a worker whose models cannot be loaded', async () => {
      const engines = await open()
      const faces = await started(onnxFaceAnalyser({ threads: 1, executionProviders: ['no such provider'], log }))
      const reader = await started(threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], log }))
      const worker = createVerificationWorker(engines, {
        concurrency: 1,
        resultRetentionDays: undefined,
        outcomeRetentionDays: 90,
        thresholds: {},
        faces,
        reader,
        callbacks: { secretsOf: async () => [], allowLocal: false },
        queueWorker: engines.queueWorker,
      })
      await started(worker)
      await engines.submit()
      await expect(faces.ready()).rejects.toThrow()
      await reader.ready()
      await sleep(500)
      expect(await engines.queue.metrics(never)).toEqual({ waiting: 1, active: 0, delayed: 0 })
    })

    describe('lost by the queue', () => {
      it('are found while others are queued behind them', async () => {
        const engines = await open()
        const { queue } = engines
        const [lost = ''] = await new SubmitJobs({ ...engines, queue: { ...queue, add: async () => undefined } })
          .submit({ owner: 'bank', batchId: null }, [job])
          .then(({ rows }) => rows.map(({ id }) => id))
        await change(lost, { enqueuedAt: anHourAgo() })
        const [next = ''] = await engines.submit(20)
        const reached = Promise.withResolvers<void>()
        const ended = Promise.withResolvers<void>()
        const runs: string[] = []
        const processing = new ProcessJob(engines, async (...args) => {
          reached.resolve()
          await ended.promise
          return verified(...args)
        })
        await engines.work(async (id, signal) => {
          runs.push(id)
          await processing.run(id, signal)
        })
        await reached.promise
        expect(runs).toEqual([next])
        // one at a time: a queue that does not respond in time is queried again by the next scan
        await expect.poll(() => requeueJobs(engines, false, never).then(async () => (await queue.metrics(never)).waiting)).toBe(20)
        ended.resolve()
        await expect.poll(async () => (await jobOf(lost)).status).toBe('completed')
        await expect.poll(async () => (await queue.metrics(never)).waiting).toBe(0)
      })

      it('are found while a worker is busy', async () => {
        const engines = await open()
        const [busy = '', lost = ''] = await engines.submit(2)
        const ended = Promise.withResolvers<void>()
        const runs: string[] = []
        const processing = new ProcessJob(engines, async (...args) => {
          if (args[0].id === busy) await ended.promise
          return verified(...args)
        })
        const handler: JobHandler = async (id, signal) => {
          runs.push(id)
          // the queue delivers the job, and no worker completes it
          if (id === lost && runs.filter((run) => run === lost).length === 1) return
          await processing.run(id, signal)
        }
        await engines.work(handler)
        await engines.work(handler)
        await expect.poll(() => runs.includes(lost)).toBe(true)
        await expect.poll(async () => (await engines.queue.metrics(never)).waiting).toBe(0)
        await expect.poll(async () => (await jobOf(busy)).status).toBe('processing')
        await change(lost, { enqueuedAt: anHourAgo() })
        await expect.poll(async () => (await engines.queue.metrics(never)).active).toBe(1)
        await expect.poll(() => requeueJobs(engines, false, never).then(async () => (await jobOf(lost)).status)).toBe('completed')
        ended.resolve()
        await expect.poll(async () => (await jobOf(busy)).status).toBe('completed')
      })
    })
  })
}
