import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bullmqJobQueue, bullmqJobWorker } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { databaseServer } from '../../../engines/relational/connections/database-server.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { examineDatabase, examineReplica } from '../../../platform/doctor/postgres-servers.ts'
import { PostgresEngine } from '../../fault-matrix/engines/postgres.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { embeddedEngine } from '../../support/engines/engines.ts'
import { wholeSchema } from '../../support/engines/schema.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

describe('a PostgreSQL with a synchronous standby', () => {
  const open = new AsyncDisposableStack()
  let engine: PostgresEngine
  let replica: Awaited<ReturnType<PostgresEngine['openReplica']>>
  beforeAll(async () => {
    const folder = open.adopt(await temporaryDataDir(), removeDataDir)
    const port = await freePortBase()
    engine = await PostgresEngine.make(folder, undefined, [port, port + 1])
    open.defer(() => engine.stop())
    await engine.start()
    replica = await engine.openReplica()
  })
  afterAll(() => open.disposeAsync())

  const started = async <Started extends Part>(part: Started): Promise<Started> => {
    open.defer(() => part.stop())
    await part.start(signal())
    return part
  }

  it('is examined by doctor: the primary, in any order of the addresses, and the standby as a replica', async () => {
    const { findings } = await examineDatabase([replica.url, engine.url], 10_000)
    const verdicts = new Map(findings.map(({ about, verdict, observation }) => [about, `${verdict}: ${observation}`]))
    expect(verdicts.get('role')).toBe('fine: takes writes')
    expect(verdicts.get('synchronous_standby_names')).toBe('fine: *')
    expect(verdicts.get('server')).toBe(`fine: ${new URL(replica.url).host}: answers`)
    expect((await examineDatabase([replica.url], 10_000)).findings.find(({ about }) => about === 'role')?.verdict).toBe('wrong')
    const standby = await examineReplica(replica.url, 10_000)
    expect(standby.findings.map(({ about, verdict }) => [about, verdict])).toEqual([
      ['role', 'fine'],
      ['replay', 'fine'],
    ])
  })

  it('is followed to the promoted server by connections and by the queue, with all committed data', {
    timeout: 120_000,
  }, async () => {
    // the standby is named first, and is not used
    const server = await started(databaseServer([replica.url, engine.url], log))
    expect(server.url()).toBe(engine.url)
    const database = await started(openDatabase({ ...server, name: 'test', poolSize: 4, log }))
    await wholeSchema(database).start(signal())
    const connection = { kind: 'postgres', ...server } as const
    const queue = await started(bullmqJobQueue({ name: 'jobs', connection, log }))
    const done: string[] = []
    const handler = async (id: string): Promise<void> => void done.push(id)
    await started(bullmqJobWorker({ name: 'jobs', connection, log, concurrency: 1, handler }))
    await database.orm.execute(sql`create table note (number int primary key)`)

    const committed: number[] = []
    const write = async (number: number): Promise<boolean> => {
      try {
        await database.transaction((tx) => tx.execute(sql`insert into note values (${number})`))
        committed.push(number)
        return true
      } catch {
        return false
      }
    }
    const over = new AbortController()
    const writing = (async () => {
      for (let number = 0; !over.signal.aborted; number++) await write(number)
    })()
    const added = (id: string) =>
      queue.add([{ id, priority: 1 }], signal()).then(
        () => true,
        () => false,
      )
    expect(await added('before')).toBe(true)
    await expect.poll(() => done).toEqual(['before'])
    await expect.poll(() => committed.length).toBeGreaterThan(100)

    const promoted = await replica.promote()
    const countAtPromotion = committed.length
    await expect.poll(() => committed.length).toBeGreaterThan(countAtPromotion + 100)
    over.abort()
    await writing
    expect(server.url()).toBe(promoted)
    const { rows } = await database.orm.execute<{ number: number }>(sql`select number from note`)
    const stored = new Set(rows.map(({ number }) => number))
    expect(committed.filter((number) => !stored.has(number))).toEqual([])
    await expect.poll(() => added('after')).toBe(true)
    await expect.poll(() => done).toContain('after')
  })

  it('is followed to the last promoted server when an old primary returns', async () => {
    await using old = await embeddedEngine.open()
    const server = await started(databaseServer([old.url, engine.url], log))
    expect(server.url()).toBe(engine.url)
  })
})
