import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openReceiver } from '../../support/clients/callback-receiver.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { realPostgres, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { closedAfterEach } from '../../support/run/closed-after-each.ts'
import { jobOf } from '../../support/samples/people.ts'

const control = process.env.ENGINE_CTL
const open = closedAfterEach()

if (control === undefined || realPostgres() === undefined || realRedis() === undefined)
  skippedWithout('ENGINE_CTL, DATABASE_URL and REDIS_URL', 'kill -9 of every process that component A depends on')
else
  describe('kill -9 of worker, Redis, PostgreSQL and the platform, while jobs are submitted', () => {
    it('loses no accepted job: each has one result, and each callback is delivered under one id', { timeout: 400_000 }, async () => {
      const engine = (...words: string[]) => promisify(execFile)(control, words)
      const [dataDir, portBase, receiver] = [await temporaryDataDir(), await freePortBase(), await openReceiver()]
      // also after a failure: other tests use these engines
      open.push({ [Symbol.asyncDispose]: async () => void (await engine('up', 'redis', 'postgres')) })
      open.push({ [Symbol.asyncDispose]: () => removeDataDir(dataDir) }, receiver)
      const first = await startSystem({ engines: 'real', components: ['verification'], dataDir, portBase })
      open.push(first)
      const workers = await temporaryDataDir()
      open.push({ [Symbol.asyncDispose]: () => removeDataDir(workers) })
      const startWorker = () => first.start(['worker:verification'], { DATA_DIR: workers })
      let worker = await startWorker()
      const client = new VerificationClient(first)
      const genuine = await jobOf(5, { callback_url: receiver.url })

      const accepted: string[] = []
      let refused = 0
      let done = false
      const submitting = (async () => {
        for (let n = 0; !done; n++) {
          // most jobs end at once, some are slow, so that a kill always hits a running job
          const job = { ...genuine, citizen_code: `K-${n}`, ...(n % 6 === 0 ? {} : { selfie_b64: '?' }) }
          const answer = await client.submit(job).catch(() => undefined)
          if (answer?.status === 202) accepted.push(answer.body.job_id)
          else refused++
          await sleep(100)
        }
      })()
      const acceptMore = async (): Promise<void> => {
        const enough = accepted.length + 5
        for (const end = Date.now() + 90_000; accepted.length < enough; await sleep(50))
          if (Date.now() > end) throw new Error('no more jobs are accepted')
      }

      await acceptMore()
      worker.child.kill('SIGKILL')
      await worker.exited
      await acceptMore()
      await engine('kill', 'redis')
      await acceptMore()
      await engine('up', 'redis')
      worker = await startWorker()
      await acceptMore()
      await engine('kill', 'postgres')
      await sleep(500)
      await engine('up', 'postgres')
      await acceptMore()
      const [platform] = first.processes
      platform?.child.kill('SIGKILL')
      await platform?.exited
      open.push(await startSystem({ components: ['verification'], dataDir, portBase, env: first.env }))
      await acceptMore()
      done = true
      await submitting

      const again = new VerificationClient({ rest: first.rest, apiKey: first.apiKey })
      await again.untilFinished(accepted)
      expect(refused).toBeGreaterThan(0)
      const database = new pg.Client({ connectionString: first.env.DATABASE_URL })
      await database.connect()
      const { rows } = await database.query<{ id: string; n: number }>(
        `select id, count(*)::int as n from event where topic = 'verification' group by id`,
      )
      await database.end()
      const announced = new Map(rows.map(({ id, n }) => [id, n]))
      expect(accepted.filter((id) => announced.get(id) !== 1)).toEqual([])

      const webhookIdsByJob = () =>
        new Map(receiver.received.map(({ headers, body }) => [JSON.parse(body).data.job_id, headers['webhook-id']]))
      for (const end = Date.now() + 120_000; accepted.some((id) => !webhookIdsByJob().has(id)) && Date.now() < end; ) await sleep(200)
      expect(accepted.filter((id) => webhookIdsByJob().get(id) !== `msg_${id}`)).toEqual([])
      expect(new Set(receiver.received.map(({ body, headers }) => `${JSON.parse(body).data.job_id} ${headers['webhook-id']}`)).size).toBe(
        webhookIdsByJob().size,
      )
    })
  })
