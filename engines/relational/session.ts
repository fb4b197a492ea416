import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgPreparedQuery, PgTransaction, PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded, EngineUnavailable } from '../../foundation/fault.ts'
import { withinStep } from '../../foundation/tracing/spans.ts'
import { beginTimed, commitTimed } from './commit.ts'
import { NodePgDatabase, NodePgSession, NodePgTransaction, PgDialect } from './drizzle.ts'
import { indicatesUnavailable, translatedError } from './query-errors.ts'

type NoSchema = Record<string, never>
type NoTables = ExtractTablesWithRelations<NoSchema>
export type Transaction = PgTransaction<NodePgQueryResultHKT, NoSchema, NoTables>

/** time limit of a rollback, after which the connection is closed */
const rollbackLimitMs = 1000

const clients = new WeakMap<Transaction, pg.PoolClient>()

/** Returns the connection of a transaction, for what Drizzle cannot express. */
export function clientOf(tx: Transaction): pg.PoolClient {
  const client = clients.get(tx)
  if (client === undefined) throw new Error('a nested transaction has no connection of its own')
  return client
}

const afterwards = new WeakMap<Transaction, (() => void)[]>()

/** Runs an action after the commit of the transaction; never after a rollback. */
export function afterCommit(tx: Transaction, action: () => void): void {
  const actions = afterwards.get(tx)
  if (actions === undefined) throw new Error('a nested transaction does not commit by itself')
  actions.push(action)
}

/** Returns the operation of a statement for traces, never its text. */
const operationOf = (statement: string): string =>
  /^\s*(select|insert|update|delete|with)\b/i.exec(statement)?.[1]?.toLowerCase() ?? 'statement'

/** Called with each translated statement error. */
type OnFailure = (failure: unknown) => void

/** Drizzle's session with translated errors, and transactions that always release their connection. */
class Session extends NodePgSession<NoSchema, NoTables> {
  readonly #pool: pg.Pool | undefined
  readonly #onFailure: OnFailure

  constructor(client: pg.Pool | pg.PoolClient | pg.Client, pool: pg.Pool | undefined, onFailure: OnFailure) {
    super(client, new PgDialect(), undefined)
    this.#pool = pool
    this.#onFailure = onFailure
  }

  override prepareQuery<Config extends PreparedQueryConfig>(
    ...words: Parameters<NodePgSession<NoSchema, NoTables>['prepareQuery']>
  ): PgPreparedQuery<Config> {
    const query = super.prepareQuery<Config>(...words)
    const execute = query.execute.bind(query)
    const run: typeof execute = async (values) => {
      try {
        return await execute(values)
      } catch (error) {
        const failure = translatedError(error)
        this.#onFailure(failure)
        throw failure
      }
    }
    const operation = operationOf(words[0].sql)
    query.execute = (values) =>
      withinStep(`postgresql ${operation}`, { 'db.system.name': 'postgresql', 'db.operation.name': operation }, () => run(values))
    return query
  }

  override transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    config?: Parameters<NodePgSession<NoSchema, NoTables>['transaction']>[1],
  ): Promise<Result> {
    if (this.#pool === undefined) return super.transaction(work, config)
    return lent(this.#pool, ({ client, noted }) =>
      new Session(client, undefined, this.#onFailure).transaction((tx) => work(noted(tx)), config),
    )
  }

  /** @param maxMs - limit of a statement in any case */
  async within<Result>(work: (tx: Transaction) => Promise<Result>, window: CommitWindow, maxMs: number): Promise<Result> {
    const pool = this.#pool
    if (pool === undefined) throw new Error('a nested transaction does not commit by itself')
    try {
      return await lent(pool, async (loan) => {
        const { client, noted } = loan
        const begun = await beginTimed(client, window, maxMs)
        try {
          const tx = new NodePgTransaction<NoSchema, NoTables>(new PgDialect(), new Session(client, undefined, this.#onFailure), undefined)
          const result = await work(noted(tx))
          await commitTimed(pool, client, window, begun)
          return result
        } catch (error) {
          const timeoutError = (): Error => new Error(`no response to the rollback within ${rollbackLimitMs} ms`)
          await withTimeout(client.query('rollback'), rollbackLimitMs, undefined, timeoutError).catch(() => (loan.isBroken = true))
          throw error
        }
      })
    } catch (error) {
      // the server cancelled a statement at the deadline
      if (error instanceof EngineUnavailable && window.remainingMs === 0) throw new DeadlineExceeded(undefined, error)
      throw error
    }
  }
}

/** A connection of the pool in use. */
interface Loan {
  readonly client: pg.PoolClient
  /** registers the connection of a transaction */
  noted(tx: Transaction): Transaction
  /** whether the connection must not be reused */
  isBroken: boolean
}

/** Runs work on a connection of the pool, then the actions after the commit. */
async function lent<Result>(pool: pg.Pool, work: (loan: Loan) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translatedError(error)
  })
  const actions: (() => void)[] = []
  const loan: Loan = {
    client,
    noted(tx) {
      clients.set(tx, client)
      afterwards.set(tx, actions)
      return tx
    },
    isBroken: false,
  }
  try {
    const result = await work(loan)
    for (const action of actions) action()
    return result
  } catch (error) {
    loan.isBroken ||= indicatesUnavailable(error)
    throw translatedError(error)
  } finally {
    client.release(loan.isBroken)
  }
}

/** Returns Drizzle on one connection, within its open transaction. */
export const queryableOn = (client: pg.Client | pg.PoolClient): NodePgDatabase =>
  new NodePgDatabase(new PgDialect(), new Session(client, undefined, () => undefined), undefined)

/** Returns Drizzle over a pool, with transactions that commit in time or not at all. */
export function sessionOn(pool: pg.Pool, statementLimitMs: number, onFailure: OnFailure) {
  const session = new Session(pool, pool, onFailure)
  return {
    orm: new NodePgDatabase(new PgDialect(), session, undefined),
    transactionWithin: <Result>(work: (tx: Transaction) => Promise<Result>, window: CommitWindow): Promise<Result> =>
      session.within(work, window, statementLimitMs),
  }
}
