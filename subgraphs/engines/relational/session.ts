import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgPreparedQuery, PgTransaction, PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { NodePgDatabase, NodePgSession, PgDialect } from './drizzle.ts'
import { saysUnavailable, translated } from './query-errors.ts'

type NoSchema = Record<string, never>
type NoTables = ExtractTablesWithRelations<NoSchema>
export type Transaction = PgTransaction<NodePgQueryResultHKT, NoSchema, NoTables>

const clients = new WeakMap<Transaction, pg.PoolClient>()

/** The connection that a transaction runs on, for what Drizzle cannot say. */
export function clientOf(tx: Transaction): pg.PoolClient {
  const client = clients.get(tx)
  if (client === undefined) throw new Error('a transaction inside another has no connection of its own')
  return client
}

const afterwards = new WeakMap<Transaction, (() => void)[]>()

/** Has something done once the transaction has committed; never when it is rolled back. */
export function afterCommit(tx: Transaction, action: () => void): void {
  const actions = afterwards.get(tx)
  if (actions === undefined) throw new Error('a transaction inside another does not commit by itself')
  actions.push(action)
}

/** Drizzle's session with failures in our words, and transactions that never keep a connection. */
class Session extends NodePgSession<NoSchema, NoTables> {
  readonly #pool: pg.Pool | undefined

  constructor(client: pg.Pool | pg.PoolClient, pool: pg.Pool | undefined) {
    super(client, new PgDialect(), undefined)
    this.#pool = pool
  }

  override prepareQuery<Config extends PreparedQueryConfig>(
    ...words: Parameters<NodePgSession<NoSchema, NoTables>['prepareQuery']>
  ): PgPreparedQuery<Config> {
    const query = super.prepareQuery<Config>(...words)
    const execute = query.execute.bind(query)
    query.execute = async (values) => {
      try {
        return await execute(values)
      } catch (error) {
        throw translated(error)
      }
    }
    return query
  }

  override async transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    config?: Parameters<NodePgSession<NoSchema, NoTables>['transaction']>[1],
  ): Promise<Result> {
    if (this.#pool === undefined) return super.transaction(work, config)
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw translated(error)
    })
    let broken = false
    const actions: (() => void)[] = []
    try {
      const result = await new Session(client, undefined).transaction((tx) => {
        clients.set(tx, client)
        afterwards.set(tx, actions)
        return work(tx)
      }, config)
      for (const action of actions) action()
      return result
    } catch (error) {
      broken = saysUnavailable(error)
      throw translated(error)
    } finally {
      client.release(broken)
    }
  }
}

export const ormOf = (pool: pg.Pool): NodePgDatabase => new NodePgDatabase(new PgDialect(), new Session(pool, pool), undefined)
