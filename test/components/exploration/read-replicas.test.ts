import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { readReplicas } from '../../../engines/relational/read-replicas.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { RollUps } from '../../../subgraphs/exploration/queries/roll-up-reader.ts'
import { selectionOf } from '../../../subgraphs/exploration/queries/selection.ts'
import { statisticsOf } from '../../../subgraphs/exploration/queries/statistics.ts'
import { VersionWatch } from '../../../subgraphs/exploration/queries/version-watch.ts'
import { PostgresEngine, query } from '../../fault-matrix/engines/postgres.ts'
import { createDatabase, removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import type { RelationalEngine } from '../../support/engines/engines.ts'
import { wholeSchema } from '../../support/engines/schema.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'
import { openGate } from '../../support/processes/gate.ts'
import { type ExplorationStore, expressionOf, noon, openExploring, taxonomy } from './support.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

describe('figures from a replica of the database', () => {
  const open = new AsyncDisposableStack()
  let exploring: ExplorationStore
  let replicaUrl: string
  beforeAll(async () => {
    const folder = open.adopt(await temporaryDataDir(), removeDataDir)
    const port = await freePortBase()
    const server = await PostgresEngine.make(folder, undefined, [port, port + 1])
    await server.start()
    open.defer(() => server.stop())
    const engine: RelationalEngine = {
      name: 'with a replica',
      open: () => createDatabase(server.url),
      async copy() {
        const fresh = await createDatabase(server.url)
        const database = openDatabase({ name: 'schema', url: () => fresh.url, poolSize: 1, log })
        await wholeSchema(database).start(signal())
        await database.stop()
        return fresh
      },
    }
    exploring = await openExploring('UTC', engine)
    await exploring.startWorker()
    const replica = await server.openReplica()
    open.defer(() => replica.stop())
    // before the replica: commits wait for it
    open.use(exploring)
    replicaUrl = Object.assign(new URL(replica.url), { pathname: new URL(exploring.url).pathname }).href
  })
  afterAll(() => open.disposeAsync())

  it('are at least as new as the last published ones, whether the replica is up to date, lagging or unresponsive', {
    timeout: 120_000,
  }, async () => {
    await using opened = new AsyncDisposableStack()
    const gate = opened.use(await openGate(replicaUrl))
    const outcomes: string[] = []
    const replicas = readReplicas({ urls: [gate.url], poolSize: 2, log, onRead: (outcome) => outcomes.push(outcome) })
    const watch = new VersionWatch({ ...exploring, clock: { now: () => noon } })
    for (const part of [replicas, watch]) {
      await part.start(signal())
      opened.defer(() => part.stop())
    }
    const rollUps = new RollUps(exploring.database, { now: () => noon }, 'UTC', { replicas, oldest: () => watch.seen })
    /** The number of expressions, and the database that returned it. */
    const reported = async () => {
      outcomes.length = 0
      const { total } = await rollUps.read(async (snapshot) => (await statisticsOf(snapshot, selectionOf({}))).expressions)
      return [total, ...outcomes]
    }
    /** Posts an expression, and waits until figures that count it are published. */
    const post = async (): Promise<void> => {
      const before = watch.current
      await exploring.store.saveExpressions([expressionOf({ domain: taxonomy[0]?.id ?? null })])
      await exploring.settled()
      await expect.poll(() => watch.current !== undefined && watch.current !== before).toBe(true)
    }
    await post()
    await expect.poll(reported).toEqual([1, 'answered'])

    await query(replicaUrl, 'select pg_wal_replay_pause()')
    await post()
    expect(await reported()).toEqual([2, 'behind'])
    await query(replicaUrl, 'select pg_wal_replay_resume()')
    await expect.poll(reported).toEqual([2, 'answered'])

    gate.freeze()
    expect(await reported()).toEqual([2, 'away'])
    gate.cut()
    for (let times = 0; times < 4; times++) expect(await reported()).toEqual([2, 'away'])
    gate.open()
    await expect.poll(reported).toEqual([2, 'answered'])
  })
})
