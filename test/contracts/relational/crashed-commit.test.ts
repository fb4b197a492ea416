import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { EngineUnavailable, OutcomeUnknown } from '../../../foundation/fault.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { PostgresEngine, query } from '../../fault-matrix/engines/postgres.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'
import { openGate } from '../../support/processes/gate.ts'

/** Asserts the outcome that a caller receives when PostgreSQL crashes during a commit, and whether the row is stored. */
describe.each([
  { about: 'that did not reach the server, whose number another one has afterwards', reaches: false, later: 1 },
  { about: 'that did not reach the server, whose transaction id is not reused', reaches: false, later: 0 },
  {
    about: 'whose transaction id is reused after another checkpoint of the server',
    reaches: false,
    later: 1,
    isUnclear: true,
  },
  { about: 'that is on the disk of the server, whose answer was lost', reaches: true, later: 1 },
])('a commit $about', ({ reaches, later, isUnclear = false }) => {
  it(`is ${reaches ? 'committed' : isUnclear ? 'of unknown outcome' : 'refused'}`, { timeout: 120_000 }, async () => {
    await using open = new AsyncDisposableStack()
    const folder = open.adopt(await temporaryDataDir(), removeDataDir)
    const port = await freePortBase()
    const engine = await PostgresEngine.make(folder, undefined, [port, port + 1])
    open.defer(() => engine.stop())
    await engine.start()
    await query(engine.url, 'create table note (word text)')
    const gate = open.use(await openGate(engine.url))
    const database = openDatabase({ name: 'test', url: () => gate.url, poolSize: 2, log })
    open.defer(() => database.stop())
    await database.start(AbortSignal.timeout(60_000))
    const notes = async (): Promise<unknown> =>
      (await query<{ n: number }>(engine.url, `select count(*)::int as n from note where word = 'sent'`))[0]?.n

    const isCommitting = Promise.withResolvers<bigint>()
    const commit = database.transaction(
      async (tx) => {
        await tx.execute(sql`insert into note values ('sent')`)
        const { rows } = await tx.execute<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)
        if (reaches) gate.loseAnswers()
        else gate.freeze()
        isCommitting.resolve(BigInt(rows[0]?.xid ?? 0))
      },
      new Deadline({ timeoutMs: 60_000 }),
    )
    const outcome = commit.then(
      () => 'stored',
      (error: unknown) => error,
    )
    const number = await isCommitting.promise
    if (reaches) await expect.poll(notes).toBe(1)
    await engine.kill()
    await engine.start()
    for (let last = 0n; later > 0 && last < number; ) last = BigInt((await query<{ xid: string }>(engine.url, another))[0]?.xid ?? 0)
    if (isUnclear) await query(engine.url, 'checkpoint')
    gate.cut()
    gate.open()
    if (reaches) expect(await outcome).toBe('stored')
    else expect(await outcome).toBeInstanceOf(isUnclear ? OutcomeUnknown : EngineUnavailable)
    expect(await notes()).toBe(reaches ? 1 : 0)
  })
})

const another = `insert into note values ('another') returning pg_current_xact_id()::text as xid`
