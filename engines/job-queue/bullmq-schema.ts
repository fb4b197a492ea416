import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq'
import type pg from 'pg'
import type { EngineSchema, PendingStep } from '../../foundation/engine-start/engine-schema.ts'
import type { Database } from '../relational/database.ts'
import { bullmqSchemaName } from './bullmq-connection.ts'

/** timeout of the lock that lets one process at a time migrate BullMQ's tables */
const lockLimit = '15s'

/**
 * BullMQ's tables and functions in PostgreSQL; BullMQ determines what is missing and migrates in one transaction. @param queues - each has a
 * sequence, which BullMQ would otherwise create with its first job
 */
export function bullmqSchema({ pool }: Database, queues: readonly string[]): EngineSchema {
  const versionIn = async (client: pg.PoolClient): Promise<number> => {
    try {
      return await assertSchemaCompatibility(client, bullmqSchemaName)
    } catch (error) {
      if (error instanceof SchemaMigrationRequiredError) return 0
      throw error
    }
  }
  const version = async (): Promise<number> => {
    const client = await pool.connect()
    try {
      return await versionIn(client)
    } finally {
      client.release()
    }
  }
  const withoutSequence = async (): Promise<readonly string[]> => {
    const { rows } = await pool.query<{ queue: string }>(
      `select queue from unnest($1::text[]) as queue where to_regclass('${bullmqSchemaName}.' || ${bullmqSchemaName}.job_id_seq_name(queue)) is null`,
      [queues],
    )
    return rows.map(({ queue }) => queue)
  }
  const lacks = async (): Promise<{ readonly applied: number; readonly pending: readonly PendingStep[] }> => {
    const applied = await version()
    const tables = { name: `version ${LATEST_SCHEMA_VERSION} of BullMQ's tables`, how: `from ${applied}, in a transaction` }
    if (applied < LATEST_SCHEMA_VERSION) return { applied, pending: [tables] }
    const queuesWithout = await withoutSequence()
    return { applied, pending: queuesWithout.map((queue) => ({ name: `sequence of queue ${queue}`, how: 'in a transaction' })) }
  }
  return {
    engine: 'the queue in PostgreSQL',
    async status(signal) {
      signal.throwIfAborted()
      return { ...(await lacks()), contracts: [], newer: [], problems: [] }
    },
    async apply({ signal, onProgress }) {
      signal.throwIfAborted()
      if ((await lacks()).pending.length === 0) return
      const client = await pool.connect()
      try {
        await client.query(`set lock_timeout = '${lockLimit}'; set statement_timeout = 0`)
        onProgress(`version ${await runMigrations(client, bullmqSchemaName)} of BullMQ's tables applied`)
        await client.query(`set search_path to ${bullmqSchemaName}`)
        await client.query('select next_job_id(queue) from unnest($1::text[]) as queue', [queues])
      } finally {
        // its session settings differ from those of the pool
        client.release(true)
      }
    },
  }
}
