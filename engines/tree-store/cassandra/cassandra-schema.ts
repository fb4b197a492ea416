import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type cassandra from 'cassandra-driver'
import type { EngineSchema } from '../../../foundation/engine-start/engine-schema.ts'
import { refuseProblems } from '../../../foundation/engine-start/schema-at-start.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { type CassandraAddress, cassandraClient, connected, shutDown } from './cassandra-client.ts'

export interface CassandraSchemaOptions {
  readonly keyspace: string
  /** data centre of the replicas of a new keyspace without `replication` */
  readonly localDataCenter: string
  /** replicas by data centre */
  readonly replication?: readonly (readonly [dataCenter: string, replicas: number])[] | undefined
  /** folder of the files NNNN-name.cql */
  readonly schemaFolder: string
}

interface CqlFile {
  readonly number: number
  readonly name: string
  readonly sha256: string
  readonly statements: readonly string[]
  /** tables that the statements create */
  readonly tables: readonly string[]
}

const plain = { prepare: false }
const engine = 'Cassandra'

/**
 * Tables in a keyspace: numbered files, forward only. Statements end with a semicolon at a line end; each creates a table idempotently, so that
 * several processes may apply them and an interrupted file is completed by the next attempt.
 */
export function cassandraSchema(client: Pick<cassandra.Client, 'execute'>, options: CassandraSchemaOptions): EngineSchema {
  const { keyspace, schemaFolder } = options
  const claimed = async (tables: ReadonlySet<string>): Promise<ReadonlyMap<number, string>> => {
    if (!tables.has('migration')) return new Map()
    const { rows } = await client.execute(`select number, sha256 from ${keyspace}.migration`, [], { prepare: true })
    return new Map(rows.map((row) => [row.get('number') as number, row.get('sha256') as string]))
  }
  const stateOf = async () => {
    const files = await readFiles(schemaFolder)
    const answer = await client.execute('select table_name from system_schema.tables where keyspace_name = ?', [keyspace], {
      prepare: true,
    })
    const tables = new Set(answer.rows.map((row) => row.get('table_name') as string))
    const recorded = await claimed(tables)
    const changed = files.filter(({ number, sha256 }) => recorded.has(number) && recorded.get(number) !== sha256)
    const pending = files.filter((file) => !recorded.has(file.number) || file.tables.some((table) => !tables.has(table)))
    return { files, recorded, pending, problems: changed.map(({ name }) => `${name} was changed after it was applied`) }
  }
  return {
    engine,
    async status(signal) {
      signal.throwIfAborted()
      const { files, recorded, pending, problems } = await stateOf()
      const last = files.at(-1)?.number ?? 0
      return {
        applied: files.length - pending.length,
        pending: pending.map(({ name, number }) => ({
          name,
          how: recorded.has(number) ? 'interrupted: the next apply completes it' : 'missing tables',
        })),
        contracts: [],
        newer: [...recorded.keys()].filter((number) => number > last).map((number) => `file ${number} of a newer release`),
        problems,
      }
    },
    async apply({ signal, onProgress }) {
      signal.throwIfAborted()
      await makeKeyspace(client, options)
      const { pending, problems } = await stateOf()
      refuseProblems(engine, problems)
      for (const { number, name, sha256, statements } of pending) {
        signal.throwIfAborted()
        const claim = `insert into ${keyspace}.migration (number, name, sha256) values (?, ?, ?) if not exists`
        await client.execute(claim, [number, name, sha256], { prepare: true })
        for (const statement of statements)
          await client.execute(statement.replace(/^create table /, `create table if not exists ${keyspace}.`), [], plain)
        onProgress(`${name} applied`)
      }
    },
  }
}

/** As `cassandraSchema`, with its own connection. */
export function openCassandraSchema(options: CassandraAddress & CassandraSchemaOptions, log: Log): EngineSchema & Part {
  const client = cassandraClient(options, log)
  return { name: 'schema of Cassandra', ...cassandraSchema(client, options), start: () => connected(client), stop: () => shutDown(client) }
}

/** with this many a local quorum survives the loss of one node */
const maxReplicas = 3

/** Counts the nodes of the data centre: the one connected to and those it knows, including unavailable ones. */
async function nodesOf(client: Pick<cassandra.Client, 'execute'>, localDataCenter: string): Promise<number> {
  const { rows } = await client.execute('select data_center from system.peers', [], plain)
  return 1 + rows.filter((row) => row.get('data_center') === localDataCenter).length
}

async function makeKeyspace(
  client: Pick<cassandra.Client, 'execute'>,
  { keyspace, localDataCenter, replication }: Pick<CassandraSchemaOptions, 'keyspace' | 'localDataCenter' | 'replication'>,
): Promise<void> {
  const wanted = replication ?? [[localDataCenter, Math.min(maxReplicas, await nodesOf(client, localDataCenter))]]
  const map = wanted.map(([dataCenter, replicas]) => `'${dataCenter}': ${replicas}`).join(', ')
  const replicated = `{'class': 'NetworkTopologyStrategy', ${map}}`
  await client.execute(`create keyspace if not exists ${keyspace} with replication = ${replicated}`, [], plain)
  await client.execute(`create table if not exists ${keyspace}.migration (number int primary key, name text, sha256 text)`, [], plain)
}

async function readFiles(folder: string): Promise<readonly CqlFile[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.cql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name), 'utf8')
      const statements = content
        .replace(/^--.*$/gm, '')
        .split(/;\s*$/m)
        .map((text) => text.trim())
        .filter((text) => text !== '')
      return {
        number: Number(name.slice(0, 4)),
        name,
        sha256: createHash('sha256').update(content).digest('hex'),
        statements,
        tables: statements.flatMap((text) => /^create table (\w+)/.exec(text)?.[1] ?? []),
      }
    }),
  )
}
