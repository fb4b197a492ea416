import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bullmqJobQueue, bullmqJobWorker, type QueueConnection } from '../../../engines/job-queue/bullmq-job-queue.ts'
import type { JobHandler, JobQueue } from '../../../engines/job-queue/job-queue.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { GatedEngine, QueueEngine } from '../../support/engines/queue-engines.ts'

const log = silentLog
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

interface QueueUnderTest {
  readonly connection: QueueConnection
  readonly close: () => Promise<void>
}

/** Each engine has its own test file, so that their waits overlap. @param under - undefined skips the suite with a note */
export function jobQueueContract(under: QueueEngine | undefined): void {
  if (under === undefined) return
  const openEngine = async (): Promise<QueueUnderTest> => {
    const fresh = await under.relational.copy()
    const connection = under.connection(fresh.url)
    return {
      connection,
      async close() {
        await fresh[Symbol.asyncDispose]()
        await under.clear(connection)
      },
    }
  }
  describe(`job queue: ${under.name}`, () => {
    let engine: QueueUnderTest
    const parts: Part[] = []
    beforeAll(async () => {
      engine = await openEngine()
    })
    afterAll(async () => {
      for (const part of parts.reverse()) await part.stop()
      await engine.close()
    })

    const started = async <Started extends Part>(part: Started): Promise<Started> => {
      await part.start(signal())
      parts.push(part)
      return part
    }
    /** The start waits 2 s at most, and BullMQ may take longer to create its tables in a fresh database. */
    const openQueue = async (name: string, connection = engine.connection) => {
      const queue = await started(bullmqJobQueue({ name, connection, log }))
      await expect.poll(() => queue.health(signal())).toBeUndefined()
      return queue
    }
    const openWorker = (
      queue: string,
      handler: JobHandler,
      more: { concurrency?: number; graceMs?: number; lockMs?: number; silenceMs?: number; connection?: QueueConnection } = {},
    ) => started(bullmqJobWorker({ name: queue, connection: engine.connection, log, concurrency: 1, handler, ...more }))
    const idle = (queue: JobQueue) => expect.poll(() => queue.metrics(signal())).toEqual({ waiting: 0, active: 0, delayed: 0 })

    it('gives out lower priority values first, and equal ones in insertion order', async () => {
      const name = randomUUID()
      const queue = await openQueue(name)
      await queue.add(
        Array.from({ length: 30 }, (_, index) => ({ id: `late-${String(index).padStart(2, '0')}`, priority: 2_097_151 })),
        signal(),
      )
      for (let index = 0; index < 10; index++) await queue.add([{ id: `middle-${index}`, priority: 100 }], signal())
      await queue.add([{ id: 'first', priority: 1 }], signal())
      expect(await queue.metrics(signal())).toEqual({ waiting: 41, active: 0, delayed: 0 })
      const done: string[] = []
      await openWorker(name, async (id) => {
        done.push(id)
      })
      await expect.poll(() => done.length).toBe(41)
      const late = Array.from({ length: 30 }, (_, index) => `late-${String(index).padStart(2, '0')}`)
      const middle = Array.from({ length: 10 }, (_, index) => `middle-${index}`)
      expect(done).toEqual(['first', ...middle, ...late])
      await idle(queue)
    })

    it('adds a job once while it waits or runs, and again after it has ended', async () => {
      const name = randomUUID()
      const queue = await openQueue(name)
      const job = { id: randomUUID(), priority: 5 }
      await Promise.all([queue.add([job], signal()), queue.add([job, job], signal()), queue.add([job], signal())])
      expect((await queue.metrics(signal())).waiting).toBe(1)
      const runs: string[] = []
      let end = (): void => undefined
      await openWorker(name, (id) => {
        runs.push(id)
        return new Promise((resolve) => {
          end = resolve
        })
      })
      await expect.poll(() => runs.length).toBe(1)
      await queue.add([job], signal())
      expect(await queue.metrics(signal())).toEqual({ waiting: 0, active: 1, delayed: 0 })
      end()
      await idle(queue)
      await queue.add([job], signal())
      await expect.poll(() => runs.length).toBe(2)
      end()
      await idle(queue)
      expect(runs).toEqual([job.id, job.id])
    })

    it('removes a failed job and continues with the next', async () => {
      const name = randomUUID()
      const queue = await openQueue(name)
      const done: string[] = []
      await openWorker(name, async (id) => {
        done.push(id)
        if (id === 'bad') throw new Error('it fails')
      })
      await queue.add(
        [
          { id: 'bad', priority: 1 },
          { id: 'good', priority: 2 },
        ],
        signal(),
      )
      await expect.poll(() => done).toEqual(['bad', 'good'])
      await idle(queue)
      await queue.add([{ id: 'bad', priority: 1 }], signal())
      await expect.poll(() => done).toEqual(['bad', 'good', 'bad'])
    })

    it('runs jobs up to its concurrency', async () => {
      const name = randomUUID()
      const queue = await openQueue(name)
      let [running, peak] = [0, 0]
      let done = 0
      const allThere = Promise.withResolvers<void>()
      await openWorker(
        name,
        async () => {
          peak = Math.max(peak, ++running)
          await allThere.promise
          await sleep(30)
          running--
          done++
        },
        { concurrency: 3 },
      )
      await queue.add(
        Array.from({ length: 12 }, (_, index) => ({ id: `job-${index}`, priority: 1 })),
        signal(),
      )
      await expect.poll(() => running).toBe(3)
      allThere.resolve()
      await expect.poll(() => done).toBe(12)
      expect(peak).toBe(3)
    })

    it('waits for running jobs when it stops, and aborts their signal at the end of its grace period', async () => {
      const name = randomUUID()
      const queue = await openQueue(name)
      const ended: string[] = []
      const stops = Promise.withResolvers<void>()
      const patient = bullmqJobWorker({
        name,
        connection: engine.connection,
        log,
        concurrency: 2,
        graceMs: 600,
        async handler(id, stopping) {
          await new Promise<void>((resolve) => {
            if (id === 'quick') stops.promise.then(() => setTimeout(resolve, 100))
            stopping.addEventListener('abort', () => resolve())
          })
          ended.push(`${id} ${stopping.aborted ? 'aborted' : 'finished'}`)
        },
      })
      await patient.start(signal())
      await queue.add(
        [
          { id: 'quick', priority: 1 },
          { id: 'slow', priority: 2 },
          { id: 'waiting', priority: 3 },
        ],
        signal(),
      )
      await expect.poll(async () => (await queue.metrics(signal())).active).toBe(2)
      stops.resolve()
      await patient.stop()
      expect(ended).toEqual(['quick finished', 'slow aborted'])
      expect((await queue.metrics(signal())).waiting).toBe(1)
    })

    it('gives the job of a killed worker to another worker', { timeout: 120_000 }, async () => {
      const name = randomUUID()
      const queue = await openQueue(name)
      const job = { id: randomUUID(), priority: 7 }
      const { connection } = engine
      const words = [connection.kind === 'redis' ? JSON.stringify(connection) : connection.url()]
      const script = new URL('../../support/processes/job-holder.ts', import.meta.url).pathname
      const holder = spawn(process.execPath, [script, name, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
      await queue.add([job], signal())
      await new Promise<void>((resolve, reject) => {
        holder.stdout.setEncoding('utf8').on('data', (text: string) => text.includes(`holding ${job.id}`) && resolve())
        holder.once('exit', (code) => reject(new Error(`the worker process ended with ${code}`)))
      })
      holder.kill('SIGKILL')
      const done: string[] = []
      const take: JobHandler = async (id) => {
        done.push(id)
      }
      await openWorker(name, take, { lockMs: 1000 })
      await expect.poll(() => done).toEqual([job.id])
      await idle(queue)
    })

    describe('while the engine is unavailable', () => {
      let gated: GatedEngine
      beforeAll(async () => {
        gated = await under.gated(engine.connection)
      })
      afterAll(() => gated[Symbol.asyncDispose]())

      it('refuses without hanging while frozen or cut off, and then adds and works again by itself', { timeout: 120_000 }, async () => {
        const name = randomUUID()
        const { gate, connection } = gated
        gate.open()
        const queue = await openQueue(name, connection)
        const done: string[] = []
        await openWorker(
          name,
          async (id) => {
            done.push(id)
          },
          { connection },
        )
        await queue.add([{ id: 'before', priority: 1 }], signal())
        await expect.poll(() => done).toEqual(['before'])
        for (const failure of ['freeze', 'cut'] as const) {
          gate[failure]()
          await expect(queue.add([{ id: 'refused', priority: 1 }], signal())).rejects.toThrow(EngineUnavailable)
          await expect(queue.health(AbortSignal.timeout(1000))).rejects.toThrow(EngineUnavailable)
          gate.open()
          const id = `after ${failure}`
          const again = () =>
            queue.add([{ id, priority: 1 }], signal()).then(
              () => true,
              () => false,
            )
          await expect.poll(again).toBe(true)
          await expect.poll(() => done).toContain(id)
        }
      })

      it('reconnects when its connections never answer again, and continues to add and work', { timeout: 120_000 }, async () => {
        const name = randomUUID()
        const { gate, connection } = gated
        gate.open()
        const queue = await openQueue(name, connection)
        const done: string[] = []
        const take: JobHandler = async (id) => void done.push(id)
        await openWorker(name, take, { connection, silenceMs: 11_000 })
        await queue.add([{ id: 'before', priority: 1 }], signal())
        await expect.poll(() => done).toEqual(['before'])
        await idle(queue)
        gate.forget()
        const again = () =>
          queue.add([{ id: 'after', priority: 1 }], signal()).then(
            () => true,
            () => false,
          )
        await expect.poll(again).toBe(true)
        await expect.poll(() => done).toContain('after')
      })

      it('starts without the engine, refuses, and works after it is available', { timeout: 120_000 }, async () => {
        const name = randomUUID()
        const { gate, connection } = gated
        gate.cut()
        const queue = await started(bullmqJobQueue({ name, connection, log }))
        await expect(queue.add([{ id: 'early', priority: 1 }], signal())).rejects.toThrow(EngineUnavailable)
        gate.open()
        const again = () =>
          queue.add([{ id: 'late', priority: 1 }], signal()).then(
            () => true,
            () => false,
          )
        await expect.poll(again).toBe(true)
      })
    })
  })
}
