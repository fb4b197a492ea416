import { randomBytes } from 'node:crypto'
import { createServer as createTcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { silentLog } from '../../../foundation/log.ts'
import { listCallbacks, redeliverCallback } from '../../../subgraphs/verification/callbacks/callback-log.ts'
import { CallbackSender, type ResolveName } from '../../../subgraphs/verification/callbacks/callback-sender.ts'
import { callbackDelivery } from '../../../subgraphs/verification/callbacks/deliver-callbacks.ts'
import { scheduleCallback } from '../../../subgraphs/verification/callbacks/schedule-callback.ts'
import { type JobRow, verificationCallback, verificationJob } from '../../../subgraphs/verification/tables.ts'
import { openReceiver, type Receiver } from '../../support/clients/callback-receiver.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

const secret = randomBytes(32)
/** Interval of the delivery in these tests. */
const soonMs = 50
/** Longer than several intervals: a callback that has not arrived by then does not arrive. */
const quietMs = 300
const webhook = new Webhook(`whsec_${secret.toString('base64')}`)

for (const engine of relationalEngines()) {
  describe(`callbacks on ${engine.name}`, () => {
    let opened: Awaited<ReturnType<typeof openMigrated>>
    let feed: ReturnType<typeof relayEventFeed>
    let receiver: Receiver
    const open: AsyncDisposable[] = []
    beforeAll(async () => {
      opened = await openMigrated(engine)
      feed = relayEventFeed({ database: opened.database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
      await feed.start(AbortSignal.timeout(60_000))
      receiver = await openReceiver()
      open.push(receiver)
    })
    const disposeAll = async (): Promise<void> => {
      for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
    }
    afterAll(async () => {
      await disposeAll()
      await feed?.stop()
      await opened?.[Symbol.asyncDispose]()
    })

    /** The delivery of one worker; several simulate several processes. */
    const deliver = async (
      options: {
        resolve?: ResolveName
        limitMs?: number
        secrets?: readonly Uint8Array[]
        allowLocal?: boolean
        checkEveryMs?: number
      } = {},
    ): Promise<void> => {
      const { resolve, limitMs = 1000, secrets = [secret], allowLocal = true, checkEveryMs = soonMs } = options
      const sender = new CallbackSender({ allowLocal }, resolve, limitMs)
      const { database } = opened
      const waits = { checkEveryMs, tryEveryMs: soonMs }
      const part = callbackDelivery({ database, feed, clock: systemClock, log: silentLog, sender, secretsOf: async () => secrets, waits })
      await part.start(AbortSignal.timeout(60_000))
      open.push({
        async [Symbol.asyncDispose]() {
          await part.stop()
          await sender.close()
        },
      })
    }
    /** Completes a job and creates its callback in one transaction. */
    const finish = async (callbackUrl: string, more: Partial<typeof verificationJob.$inferInsert> = {}): Promise<string> => {
      const job = { id: uuid(), owner: 'bank', citizenCode: 'C', documentType: 'CNI', countryCode: 'FR', priority: 'normal' } as const
      const position = await opened.database.transaction(async (tx) => {
        const [row] = await tx
          .insert(verificationJob)
          .values({ ...job, callbackUrl, startClass: 1, status: 'completed', outcome: 'verified', completedAt: new Date(), ...more })
          .returning()
        await scheduleCallback(tx, row as JobRow)
        return feed.append(tx, 'verification', [{ kind: 'completed', id: job.id }])
      })
      feed.announce('verification', position)
      return job.id
    }
    const logged = async (jobId: string) => {
      const [callback] = await listCallbacks(opened.database, 'all', { jobIds: [jobId] }, { limit: 1 })
      if (callback === undefined) throw new Error('there is no callback')
      return callback
    }
    const settled = async (jobId: string, state: string, tries = 1) => {
      for (const end = Date.now() + 60_000; ; await sleep(20)) {
        const attempt = await logged(jobId)
        if (attempt.callback.state === state && attempt.attempts.length >= tries) return attempt
        if (Date.now() > end) throw new Error(`${attempt.callback.state} after ${attempt.attempts.length} tries, not ${state}`)
      }
    }
    const makeDue = (jobId: string) =>
      opened.database.orm.update(verificationCallback).set({ nextAt: sql`now()` }).where(eq(verificationCallback.jobId, jobId))
    const waitMs = async (jobId: string): Promise<number> => {
      const { rows } = await opened.database.orm.execute<{ ms: number }>(
        sql`select extract(epoch from next_at - now())::float8 * 1000 as ms from verification_callback where job_id = ${jobId}`,
      )
      return rows[0]?.ms ?? Number.NaN
    }

    describe('to a receiver that accepts them', () => {
      afterEach(async () => {
        for (const each of open.splice(1).reverse()) await each[Symbol.asyncDispose]()
      })

      it('arrive when the job is final, without personal data, and verify with the public library under either secret', async () => {
        const older = randomBytes(24)
        // an interval so long that only the notification of the job can trigger the delivery
        await deliver({ secrets: [secret, older], checkEveryMs: 20_000 })
        await settled(await finish(receiver.url), 'delivered')
        const from = receiver.received.length
        const batchId = uuid()
        const jobId = await finish(`${receiver.url}/hook?client=7`, { batchId })
        const delivery = (await receiver.until(from + 1)).at(-1)
        expect(delivery).toMatchObject({
          path: '/hook?client=7',
          headers: { 'content-type': 'application/json', 'webhook-id': `msg_${jobId}` },
        })
        for (const key of [secret, older]) {
          const verified = new Webhook(`whsec_${key.toString('base64')}`).verify(delivery?.body ?? '', { ...delivery?.headers })
          expect(verified).toEqual({
            type: 'verification.job.completed',
            timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
            data: { job_id: jobId, batch_id: batchId, status: 'completed', outcome: 'verified', completed_at: expect.any(String) },
          })
        }
        expect(() => webhook.verify(`${delivery?.body} `, { ...delivery?.headers })).toThrow()
        const { callback, attempts } = await settled(jobId, 'delivered')
        expect(callback.nextAt).toBeNull()
        expect(attempts).toMatchObject([{ number: 1, statusCode: 204, reason: null }])
      })

      it('are sent by one of four workers, each once', async () => {
        for (let n = 0; n < 4; n++) await deliver()
        const from = receiver.received.length
        const ids = await Promise.all(Array.from({ length: 100 }, () => finish(receiver.url)))
        await receiver.until(from + 100)
        await sleep(quietMs)
        const webhookIds = receiver.received.slice(from).map(({ headers }) => headers['webhook-id'])
        expect(webhookIds.sort()).toEqual(ids.map((id) => `msg_${id}`).sort())
      })

      it('are delivered by another worker after the leader has stopped', async () => {
        await deliver()
        await deliver()
        const before = receiver.received.length
        await finish(receiver.url)
        await receiver.until(before + 1)
        await open.splice(1, 1)[0]?.[Symbol.asyncDispose]()
        await finish(receiver.url)
        await receiver.until(before + 2)
      })

      it('wait in the table while no worker runs', async () => {
        const from = receiver.received.length
        const jobId = await finish(receiver.url)
        await sleep(quietMs)
        expect(receiver.received.length).toBe(from)
        await deliver()
        await settled(jobId, 'delivered')
        expect(receiver.received.length).toBe(from + 1)
      })

      it('are redelivered under the same id, only for their owner', async () => {
        await deliver()
        const jobId = await finish(receiver.url)
        await settled(jobId, 'delivered')
        const from = receiver.received.length
        expect(await redeliverCallback(opened.database, { owner: 'another service' }, jobId)).toBeUndefined()
        expect((await redeliverCallback(opened.database, { owner: 'bank' }, jobId))?.callback).toMatchObject({ state: 'pending', tries: 0 })
        await receiver.until(from + 1)
        expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(`msg_${jobId}`)
        expect((await settled(jobId, 'delivered', 2)).attempts.map(({ number }) => number)).toEqual([1, 2])
        await sleep(quietMs)
        expect(receiver.received.length).toBe(from + 1)
      })

      it('are not delayed by slow receivers: another receiver gets its own at once', async () => {
        await deliver({ limitMs: 3_600_000 })
        const silent = await openReceiver(() => undefined)
        open.push(silent)
        for (let n = 0; n < 60; n++) await finish(`${silent.url}/${n}`)
        await silent.until(1)
        const from = receiver.received.length
        await finish(receiver.url)
        await receiver.until(from + 1)
        await opened.database.orm.execute(sql`delete from verification_callback where state = 'pending'`)
      })

      it('report failed for a job that ended in error', async () => {
        await deliver()
        const from = receiver.received.length
        await finish(receiver.url, { status: 'error', outcome: 'error' })
        const delivery = (await receiver.until(from + 1)).at(-1)
        expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
          type: 'verification.job.failed',
          data: { status: 'error', outcome: 'error' },
        })
      })
    })

    describe('to a receiver that rejects them', () => {
      let failing: Receiver
      beforeAll(async () => {
        await deliver()
      })
      const receiving = async (answer: Receiver['answer']): Promise<Receiver> => {
        failing = await openReceiver(answer)
        open.push(failing)
        return failing
      }

      it('are attempted ten times, then abandoned', async () => {
        await receiving((_, response) => void response.writeHead(500).end())
        const jobId = await finish(failing.url)
        for (let tries = 1; tries < 10; tries++) {
          await settled(jobId, 'pending', tries)
          await makeDue(jobId)
        }
        const { attempts, callback } = await settled(jobId, 'failed', 10)
        expect(callback.nextAt).toBeNull()
        expect(attempts.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(500))
        expect(attempts[0]?.reason).toMatch(/^status_500: /)
        expect(new Set(failing.received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1)
        await sleep(quietMs)
        expect(failing.received.length).toBe(10)
      })

      it('are redelivered on request during the tenth attempt, whatever its result', async () => {
        await receiving((_, response) => void response.writeHead(500).end())
        const jobId = await finish(failing.url)
        await settled(jobId, 'pending')
        const tenth = Promise.withResolvers<() => void>()
        failing.answer = (_, response) => tenth.resolve(() => response.writeHead(500).end())
        await opened.database.orm.update(verificationCallback).set({ tries: 9 }).where(eq(verificationCallback.jobId, jobId))
        await makeDue(jobId)
        const end = await tenth.promise
        expect((await redeliverCallback(opened.database, 'all', jobId))?.callback).toMatchObject({ state: 'pending', tries: 0 })
        failing.answer = (_, response) => void response.writeHead(204).end()
        end()
        expect((await settled(jobId, 'delivered')).callback.tries).toBe(1)
        expect(failing.received.length).toBe(3)
      })

      it('stop at 410', async () => {
        await receiving((_, response) => void response.writeHead(410).end())
        const jobId = await finish(failing.url)
        expect((await settled(jobId, 'stopped')).attempts).toMatchObject([{ statusCode: 410, reason: expect.stringMatching(/^gone: /) }])
      })

      it('wait for the Retry-After of a 429, and for the schedule if that is longer', async () => {
        await receiving((_, response) => void response.writeHead(429, { 'retry-after': '600' }).end())
        const patient = await finish(failing.url)
        await settled(patient, 'pending')
        expect(await waitMs(patient)).toBeGreaterThan(595_000)
        failing.answer = (_, response) => void response.writeHead(503, { 'retry-after': '1' }).end()
        const soon = await finish(failing.url)
        await settled(soon, 'pending')
        expect(await waitMs(soon)).toBeGreaterThan(2000)
      })

      it('do not follow a redirect', async () => {
        const from = receiver.received.length
        for (const status of [301, 302, 303, 307, 308]) {
          await receiving((_, response) => void response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end())
          const jobId = await finish(failing.url)
          expect((await settled(jobId, 'pending')).attempts).toMatchObject([{ statusCode: status }])
        }
        expect(receiver.received.length).toBe(from)
      })

      it('abort an attempt without a response, and one whose response never ends', async () => {
        await receiving(() => undefined)
        const silent = await finish(failing.url)
        expect((await settled(silent, 'pending')).attempts).toMatchObject([
          { statusCode: null, reason: expect.stringMatching(/^timeout: /) },
        ])
        let closed = false
        await receiving((_, response) => {
          response.writeHead(200)
          const more = setInterval(() => response.write('x'.repeat(65_536)), 1)
          response.on('close', () => {
            closed = true
            clearInterval(more)
          })
        })
        const endless = await finish(failing.url)
        await settled(endless, 'delivered')
        for (const end = Date.now() + 10_000; !closed && Date.now() < end; ) await sleep(20)
        expect(closed).toBe(true)
      })

      it('count as attempts when the connection or the TLS handshake fails', async () => {
        const unusedReceiver = await openReceiver()
        await unusedReceiver[Symbol.asyncDispose]()
        const refusing = await finish(unusedReceiver.url)
        expect((await settled(refusing, 'pending')).attempts[0]?.reason).toBe('connection_failed: The connection failed (ECONNREFUSED)')
        const plain = createTcpServer(
          (socket) =>
            void socket
              .on('error', () => undefined)
              .resume()
              .end('HTTP/1.1 200 OK\r\n\r\n'),
        )
        await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
        open.push({ [Symbol.asyncDispose]: () => new Promise((resolve) => plain.close(() => resolve())) })
        const noTls = await finish(`https://127.0.0.1:${(plain.address() as { port: number }).port}/`)
        expect((await settled(noTls, 'pending')).attempts[0]?.reason).toMatch(
          /^connection_failed: The connection failed \((ERR_SSL|EPROTO|ECONNRESET|UND_ERR)/,
        )
      })
    })

    describe('to private addresses', () => {
      beforeAll(async () => {
        for (const each of open.splice(1).reverse()) await each[Symbol.asyncDispose]()
      })
      afterEach(async () => {
        for (const each of open.splice(1).reverse()) await each[Symbol.asyncDispose]()
      })

      it('are refused permanently with the reason', async () => {
        await deliver({ allowLocal: false })
        const from = receiver.received.length
        const cases = {
          'not a url \u0000': /^invalid_url: /,
          [receiver.url]: /^not_https: /,
          'https://10.0.0.1/': /^inside_address: /,
          'https://[::ffff:127.0.0.1]/': /^inside_address: /,
          'https://localhost/': /^inside_address: /,
        }
        for (const [url, reason] of Object.entries(cases)) {
          const { attempts, callback } = await settled(await finish(url), 'refused')
          expect(attempts).toMatchObject([{ statusCode: null, reason: expect.stringMatching(reason) }])
          expect(callback.nextAt).toBeNull()
        }
        expect(receiver.received.length).toBe(from)
      })

      it('are refused when any address of the name is private, also after a DNS change', async () => {
        const answers = [['93.184.216.34', '10.0.0.7'], ['fe80::1'], ['::ffff:192.168.1.1'], []]
        const lookups: string[] = []
        await deliver({
          allowLocal: false,
          resolve: async (name) => {
            lookups.push(name)
            return (answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
          },
        })
        for (let n = 0; n < 4; n++) {
          const { attempts } = await settled(await finish('https://rebinding.example/'), 'refused')
          expect(attempts[0]?.reason).toMatch(/^inside_address: /)
        }
        expect(lookups).toEqual(Array(4).fill('rebinding.example'))
      })

      it('are not reached by DNS rebinding: the connection uses the checked address', async () => {
        const port = new URL(receiver.url).port
        const from = receiver.received.length
        let requestCount = 0
        await deliver({
          resolve: async () => {
            requestCount++
            return [{ address: requestCount === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
          },
        })
        const jobId = await finish(`http://rebinding.example:${port}/`)
        await settled(jobId, 'delivered')
        expect(requestCount).toBe(1)
        await redeliverCallback(opened.database, 'all', jobId)
        expect((await settled(jobId, 'refused', 2)).attempts[1]?.reason).toMatch(/^inside_address: /)
        expect(receiver.received.length).toBe(from + 1)
      })

      it('count as failed attempts when the name cannot be resolved', async () => {
        await deliver({
          resolve: async () => {
            throw Object.assign(new Error('getaddrinfo ENOTFOUND secret.example'), { code: 'ENOTFOUND' })
          },
        })
        expect((await settled(await finish('http://secret.example/'), 'pending')).attempts[0]?.reason).toBe(
          'connection_failed: The connection failed (ENOTFOUND)',
        )
      })

      it('are not sent for a key without a secret', async () => {
        await deliver({ secrets: [] })
        const from = receiver.received.length
        expect((await settled(await finish(receiver.url), 'refused')).attempts[0]?.reason).toMatch(/^no_secret: /)
        expect(receiver.received.length).toBe(from)
      })
    })
  })
}
