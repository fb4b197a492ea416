import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../../engines/relational/database.ts'
import { embeddedPostgres } from '../../../engines/relational/embedded-postgres.ts'
import { silentLog } from '../../../foundation/log.ts'
import { wholeSchema } from './schema.ts'

const startLimitMs = 60_000

/** A database of one test file, dropped on disposal. */
export interface FreshDatabase extends AsyncDisposable {
  readonly url: string
}

/** @param template - a database of the same server to copy; without it the database is empty */
export async function createDatabase(serverUrl: string, template?: string): Promise<FreshDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await administer(serverUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  return { url: databaseOf(serverUrl, name), [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name) }
}

/** Creates a database with the whole schema, to be copied by `createDatabase`. @returns its name */
export async function createTemplate(serverUrl: string): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  const database = openDatabase({ name: 'template', url: () => databaseOf(serverUrl, name), poolSize: 1, log: silentLog })
  try {
    const signal = AbortSignal.timeout(startLimitMs)
    await database.start(signal)
    await wholeSchema(database).start(signal)
  } finally {
    // a database with connections cannot be copied
    await database.stop()
  }
  return name
}

export const dropDatabase = (serverUrl: string, name: string): Promise<void> =>
  administer(serverUrl, `drop database if exists ${name} with (force)`)

/**
 * An embedded PostgreSQL in its own folder, both removed on disposal.
 * @param settings - of the server, override those of the platform
 */
export async function temporaryCluster(settings: Readonly<Record<string, string>> = {}): Promise<FreshDatabase> {
  const dataDir = await temporaryDataDir()
  const server = embeddedPostgres({ dataDir, log: silentLog, settings })
  const dispose = async (): Promise<void> => {
    await server.stop()
    await removeDataDir(dataDir)
  }
  try {
    await server.start(AbortSignal.timeout(startLimitMs))
    return { url: server.url(), [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** A folder with search permission for all users: PostgreSQL of a platform that root starts runs as another user. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-test-'))
  await chmod(folder, 0o711)
  return folder
}

/** Address and credentials of the embedded PostgreSQL of a DATA_DIR. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const { port, password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { port: number; password: string }
  return `postgres://civigraph:${password}@127.0.0.1:${port}/postgres`
}

/** Removes the DATA_DIR of a stopped platform, with a database that it may have elsewhere. */
export async function removeDataDir(folder: string): Promise<void> {
  const facts = await readFile(join(folder, 'postgres.json'), 'utf8').catch(() => undefined)
  if (facts !== undefined) await rm((JSON.parse(facts) as { folder: string }).folder, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5000, query_timeout: startLimitMs })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
