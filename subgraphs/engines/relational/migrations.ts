import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { advisoryLocks } from './advisory-locks.ts'
import type { Database } from './database.ts'

interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: string
  readonly sha256: string
}

const lockLimit = '60s'
/** the pool's own limit for an answer is for requests, not for building an index */
const longTimeout = { query_timeout: 600_000 }

/**
 * Brings the schema forward at the start: every file NNNN-name.sql of the folder, in order, each in a transaction of its own, once.
 * Processes that start together wait for one another. A file that was applied must stay as it is: a changed or missing one refuses the
 * start by name, because nobody could say what the schema is.
 */
export function migrations(database: Database, folder: string, log: Log): Part {
  return {
    name: 'migrations',
    async start(signal) {
      const files = await readMigrations(folder)
      const client = await database.pool.connect()
      try {
        for (let more = true; more; ) {
          signal.throwIfAborted()
          more = await step(client, files, log)
        }
      } finally {
        client.release()
      }
    },
    async stop() {},
  }
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const files = await Promise.all(
    names.map(async (name): Promise<Migration> => {
      const statements = await readFile(join(folder, name), 'utf8')
      return {
        number: Number(/^(\d{4})-/.exec(name)?.[1]),
        name,
        statements,
        sha256: createHash('sha256').update(statements).digest('hex'),
      }
    }),
  )
  const wrong = files.filter(({ number }, index) => Number.isNaN(number) || number === files[index - 1]?.number)
  if (wrong.length > 0)
    throw new Error(`Migrations need a number of their own (NNNN-name.sql): ${wrong.map(({ name }) => name).join(', ')}`)
  return files
}

/** Applies the first migration that is missing. @returns whether more may follow */
async function step(client: pg.PoolClient, files: readonly Migration[], log: Log): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${lockLimit}'; set local statement_timeout = 0`)
    await client.query({ text: 'select pg_advisory_xact_lock($1)', values: [advisoryLocks.migrations], ...longTimeout })
    await client.query(
      'create table if not exists migration (number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const { rows: applied } = await client.query<Migration>('select number, name, sha256 from migration order by number')
    refuseChanges(applied, files)
    const next = files.find(({ number }) => !applied.some((row) => row.number === number))
    if (next !== undefined) {
      await client.query({ text: next.statements, ...longTimeout }).catch((error: unknown) => {
        throw new Error(`The migration ${next.name} fails: ${messageOf(error)}`, { cause: error })
      })
      await client.query('insert into migration (number, name, sha256) values ($1, $2, $3)', [next.number, next.name, next.sha256])
    }
    await client.query('commit')
    if (next !== undefined) log.info({ migration: next.name }, 'schema brought forward')
    return next !== undefined
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

function refuseChanges(applied: readonly Migration[], files: readonly Migration[]): void {
  const latest = applied.at(-1)?.number ?? 0
  const problems = [
    ...applied.flatMap((row) => {
      const file = files.find(({ number }) => number === row.number)
      if (file === undefined) return [`${row.name} was applied and is missing here`]
      return file.sha256 === row.sha256 ? [] : [`${row.name} was changed after it had been applied`]
    }),
    ...files
      .filter(({ number }) => number < latest && !applied.some((row) => row.number === number))
      .map(({ name }) => `${name} comes before ones that were applied`),
  ]
  if (problems.length > 0) throw new Error(`The schema of the database does not fit this version: ${problems.join('; ')}`)
}
