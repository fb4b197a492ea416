import type cassandra from 'cassandra-driver'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { opening } from '../../../foundation/engine-start/engine-opening.ts'
import { schemaAtStart } from '../../../foundation/engine-start/schema-at-start.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { type CassandraAddress, cassandraClient, cassandraTime, connected, isUnavailable, shutDown } from './cassandra-client.ts'
import { cassandraSchema } from './cassandra-schema.ts'

export type Row = cassandra.types.Row
export interface Statement {
  readonly query: string
  readonly params: readonly unknown[]
}

/** Apache Cassandra 5 or newer. Throws EngineUnavailable while the cluster is unavailable or too slow. */
export interface Cassandra extends Part {
  /** Runs a statement; its writes get Cassandra's timestamp. */
  rows(query: string, params: readonly unknown[], signal: AbortSignal): Promise<readonly Row[]>
  /** Yields all pages of a result. */
  pages(query: string, params: readonly unknown[], fetchSize: number, signal: AbortSignal): AsyncIterable<readonly Row[]>
  /** Runs a compare-and-set. @returns whether it was applied */
  applied(query: string, params: readonly unknown[], signal: AbortSignal): Promise<boolean>
  /**
   * Writes statements of a partition in batches, partitions concurrently; of repeated writes of one writer the last wins. @param permit - called
   * before each batch; its error ends the write
   */
  write(partitions: Iterable<readonly Statement[]>, signal: AbortSignal, permit?: () => Promise<void>): Promise<void>
  health(signal: AbortSignal): Promise<void>
}

/** statements per batch (by default the server warns above 5 KB and refuses above 50 KB unless they are of one partition) */
const batchSize = 50
/** characters per batch, unless a single statement has more (by default the server refuses mutations above 16 MiB) */
const batchLength = 1_000_000
const parallelBatches = 16
interface CassandraOptions extends CassandraAddress {
  readonly keyspace: string
  readonly schemaFolder: string
  /** whether the start creates missing tables; otherwise it refuses to start. Default: true */
  readonly migrate?: boolean
  readonly log: Log
}

export function connectCassandra(options: CassandraOptions): Cassandra {
  const { keyspace, log } = options
  const client = cassandraClient(options, log)
  const schema = schemaAtStart(cassandraSchema(client, options), options.migrate ?? true, log)
  const open = async (signal: AbortSignal): Promise<void> => {
    await connected(client)
    await schema.start(signal)
  }
  const opened = opening({ engine: 'content store', open, isUnavailable, log })
  const ready = (signal: AbortSignal): void => {
    signal.throwIfAborted()
    const refusal = opened.refusal()
    if (refusal !== undefined) throw refusal
  }
  const named = (query: string): string => query.replaceAll('$.', `${keyspace}.`)
  const run = async (query: string, params: readonly unknown[], signal: AbortSignal, more: cassandra.QueryOptions = {}) => {
    ready(signal)
    try {
      return await client.execute(named(query), [...params], { ...cassandraTime, ...more })
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
    async write(partitions, signal, permit) {
      const batches = (function* () {
        for (const statements of partitions)
          for (const batch of batchesOf(statements)) yield batch.map(({ query, params }) => ({ query: named(query), params: [...params] }))
      })()
      const worker = async (): Promise<void> => {
        for (const batch of batches) {
          await permit?.()
          ready(signal)
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
      const timeoutError = (): EngineUnavailable => new EngineUnavailable('content store', new Error('no response within 5000 ms'))
      await withTimeout(run('select release_version from system.local', [], signal), 5000, signal, timeoutError)
    },
    get absence() {
      return opened.absence
    },
    start: (signal) => opened.start(signal),
    async stop() {
      await opened.stop()
      await shutDown(client)
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
