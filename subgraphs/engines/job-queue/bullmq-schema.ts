import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq'
import type pg from 'pg'
import type { EngineSchema } from '../../foundation/schema/engine-schema.ts'
import type { Database } from '../relational/database.ts'
import { bullmqSchemaName } from './bullmq-connection.ts'

/** for the lock under which BullMQ lets one process at a time bring its tables forward */
const lockLimit = '15s'

/** The tables and functions of BullMQ in PostgreSQL: it knows itself what they lack, and brings them forward in one transaction. */
export function bullmqSchema({ pool }: Database): EngineSchema {
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
  return {
    engine: 'the queue in PostgreSQL',
    async status(signal) {
      signal.throwIfAborted()
      const applied = await version()
      const pending = { name: `version ${LATEST_SCHEMA_VERSION} of the tables of BullMQ`, how: `from ${applied}, in a transaction` }
      return { applied, pending: applied < LATEST_SCHEMA_VERSION ? [pending] : [], contracts: [], newer: [], problems: [] }
    },
    async apply({ signal, onProgress }) {
      signal.throwIfAborted()
      if ((await version()) >= LATEST_SCHEMA_VERSION) return
      const client = await pool.connect()
      try {
        await client.query(`set lock_timeout = '${lockLimit}'; set statement_timeout = 0`)
        onProgress(`version ${await runMigrations(client, bullmqSchemaName)} of the tables of BullMQ applied`)
      } finally {
        // its settings are not those of the pool
        client.release(true)
      }
    },
  }
}
