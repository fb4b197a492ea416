import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import cassandra from 'cassandra-driver'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

export type Row = cassandra.types.Row
export interface Statement {
  readonly query: string
  readonly params: readonly unknown[]
}

/** Apache Cassandra, 5 or newer. A cluster that is away or too slow is EngineUnavailable. */
export interface Cassandra extends Part {
  rows(query: string, params: readonly unknown[], signal: AbortSignal): Promise<readonly Row[]>
  /** All pages of an answer, one after another. */
  pages(query: string, params: readonly unknown[], fetchSize: number, signal: AbortSignal): AsyncIterable<readonly Row[]>
  /** A compare-and-set. @returns whether it was applied */
  applied(query: string, params: readonly unknown[], signal: AbortSignal): Promise<boolean>
  /** Writes statements of one partition together, partitions side by side. */
  write(partitions: Iterable<readonly Statement[]>, signal: AbortSignal): Promise<void>
  health(signal: AbortSignal): Promise<void>
}

const answerLimitMs = 12_000
/** statements of one batch (the server warns above 5 KB and refuses above 50 KB by default, unless they are of one partition) */
const batchSize = 50
/** characters of one batch, unless a single statement has more (the server refuses mutations above 16 MiB by default) */
const batchLength = 1_000_000
const parallelBatches = 16
const { types, policies } = cassandra

export function connectCassandra(options: {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
  readonly keyspace: string
  readonly schemaFolder: string
  readonly log: Log
}): Cassandra {
  const { keyspace, localDataCenter, log } = options
  const client = new cassandra.Client({
    contactPoints: [...options.contactPoints],
    localDataCenter,
    policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(500) },
    queryOptions: {
      consistency: types.consistencies.localQuorum,
      serialConsistency: types.consistencies.localSerial,
      prepare: true,
      isIdempotent: true,
    },
    socketOptions: { readTimeout: answerLimitMs, connectTimeout: 5000 },
    pooling: { heartBeatInterval: 2000 },
  })
  // without a listener an unreachable host would end the process
  client.on('log', (level, _name, message) => void (level === 'error' && log.debug({ reason: String(message) }, 'cassandra driver')))
  const named = (query: string): string => query.replaceAll('$.', `${keyspace}.`)
  const run = async (query: string, params: readonly unknown[], signal: AbortSignal, more: cassandra.QueryOptions = {}) => {
    signal.throwIfAborted()
    try {
      return await client.execute(named(query), [...params], more)
    } catch (error) {
      throw new EngineUnavailable('content store', new Error(messageOf(error)))
    }
  }
  const rows: Cassandra['rows'] = async (query, params, signal) => (await run(query, params, signal)).rows
  return {
    name: 'cassandra',
    rows,
    async *pages(query, params, fetchSize, signal) {
      for (let pageState: string | undefined; ; ) {
        const result = await run(query, params, signal, { fetchSize, ...(pageState === undefined ? {} : { pageState }) })
        yield result.rows
        if (result.pageState == null) return
        pageState = result.pageState
      }
    },
    async applied(query, params, signal) {
      return (await run(query, params, signal, { isIdempotent: false })).wasApplied()
    },
    async write(partitions, signal) {
      const batches = (function* () {
        for (const statements of partitions)
          for (const batch of batchesOf(statements)) yield batch.map(({ query, params }) => ({ query: named(query), params: [...params] }))
      })()
      const worker = async (): Promise<void> => {
        for (const batch of batches) {
          signal.throwIfAborted()
          try {
            await client.batch(batch, { prepare: true, logged: false })
          } catch (error) {
            throw new EngineUnavailable('content store', new Error(messageOf(error)))
          }
        }
      }
      await Promise.all(Array.from({ length: parallelBatches }, worker))
    },
    async health(signal) {
      const late = (): EngineUnavailable => new EngineUnavailable('content store', new Error('no answer in time'))
      await withTimeout(run('select release_version from system.local', [], signal), 5000, signal, late)
    },
    async start(signal) {
      try {
        await client.connect()
      } catch (error) {
        throw new Error(`Cassandra cannot be used: ${messageOf(error)}`, { cause: error })
      }
      signal.throwIfAborted()
      await client.execute(
        `create keyspace if not exists ${keyspace} with replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': 1}`,
        [],
        { prepare: false },
      )
      await migrate(client, keyspace, options.schemaFolder, log)
    },
    async stop() {
      // after a node was killed, the driver's shutdown may never come back (its sockets and timers stay)
      await withTimeout(client.shutdown(), 3000, undefined, () => new Error('the driver did not shut down')).catch(() => undefined)
    },
  }
}

function* batchesOf(statements: readonly Statement[]): Generator<readonly Statement[]> {
  let batch: Statement[] = []
  let length = 0
  for (const statement of statements) {
    const more = lengthOf(statement)
    if (batch.length === batchSize || (batch.length > 0 && length + more > batchLength)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(statement)
    length += more
  }
  if (batch.length > 0) yield batch
}

const lengthOf = ({ params }: Statement): number =>
  params.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0)

/** Brings the schema forward: numbered files, forward only, one process at a time. Statements are told apart by the semicolon at a line's end. */
async function migrate(client: cassandra.Client, keyspace: string, folder: string, log: Log): Promise<void> {
  const plain = { prepare: false }
  await client.execute(`create table if not exists ${keyspace}.migration (number int primary key, name text, sha256 text)`, [], plain)
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.cql')).sort()) {
    const number = Number(name.slice(0, 4))
    const content = await readFile(join(folder, name), 'utf8')
    const sha256 = createHash('sha256').update(content).digest('hex')
    const claim = `insert into ${keyspace}.migration (number, name, sha256) values (?, ?, ?) if not exists`
    const claimed = await client.execute(claim, [number, name, sha256], { prepare: true })
    if (!claimed.wasApplied() && claimed.first()?.get('sha256') !== sha256)
      throw new Error(`The schema of Cassandra does not fit this version: ${name} was changed after it had been applied`)
    const statements = content.replace(/^--.*$/gm, '').split(/;\s*$/m)
    // also by those that did not claim it: they must not begin before the tables are there
    for (const statement of statements.map((text) => text.trim()).filter((text) => text !== ''))
      await client.execute(statement.replace(/^create table /, `create table if not exists ${keyspace}.`), [], plain)
    if (claimed.wasApplied()) log.info({ migration: name }, 'schema of Cassandra brought forward')
  }
}
