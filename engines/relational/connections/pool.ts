import pg from 'pg'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { type DatabaseServer, refuseStandby } from './database-server.ts'

export interface PoolOptions extends DatabaseServer {
  /** of node-postgres, beside where it connects to */
  readonly settings: Omit<pg.PoolConfig, 'connectionString' | 'Client'>
  readonly log: Log
  /** asked at each new connection: what it gets instead while nobody may use the database yet */
  readonly refusal?: () => EngineUnavailable | undefined
}

/** Connections that are each made to where the database is by then. */
export function openPool({ url, lookAgain, settings, log, refusal = () => undefined }: PoolOptions): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: url() })
      // One that breaks while it is lent out reports to its borrower, too; without a listener the process would end.
      this.on('error', (error) => {
        log.warn({ reason: messageOf(error) }, 'a database connection broke')
        lookAgain?.()
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const reached = this.#reach()
      if (callback === undefined) return reached
      // without an error it is called with nothing, which the driver's type does not know
      const done = callback as () => void
      reached.then(() => done(), callback)
      return undefined
    }

    async #reach(): Promise<this> {
      const refused = refusal()
      if (refused !== undefined) throw refused
      try {
        await super.connect()
        if (lookAgain !== undefined) await this.#beOnPrimary()
        return this
      } catch (error) {
        lookAgain?.()
        throw error
      }
    }

    async #beOnPrimary(): Promise<void> {
      try {
        await refuseStandby(this)
      } catch (error) {
        await this.end().catch(() => undefined)
        throw new EngineUnavailable('database', error)
      }
    }
  }
  const pool = new pg.Pool({ ...settings, Client })
  pool.on('error', () => undefined)
  return pool
}
