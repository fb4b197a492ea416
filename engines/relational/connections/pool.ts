import pg from 'pg'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { type DatabaseServer, refuseStandby } from './database-server.ts'

export interface PoolOptions extends DatabaseServer {
  /** settings of node-postgres, except where to connect */
  readonly settings: Omit<pg.PoolConfig, 'connectionString' | 'Client'>
  readonly log: Log
  /** called for each new connection; returns an error while the database must not be used yet */
  readonly refusal?: () => EngineUnavailable | undefined
}

/** Opens a pool whose connections each go to the current server. */
export function openPool({ url, recheck, settings, log, refusal = () => undefined }: PoolOptions): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: url() })
      // A connection that breaks while in use also rejects its query; without a listener the process would exit.
      this.on('error', (error) => {
        // a server that stops after the pool may end a connection that is closing
        if (!pool.ending) log.warn({ reason: messageOf(error) }, 'database connection lost')
        recheck?.()
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const reached = this.#reach()
      if (callback === undefined) return reached
      // called without an argument on success, which the driver's type does not allow
      const done = callback as () => void
      reached.then(() => done(), callback)
      return undefined
    }

    async #reach(): Promise<this> {
      const refused = refusal()
      if (refused !== undefined) throw refused
      try {
        await super.connect()
        if (recheck !== undefined) await this.#beOnPrimary()
        return this
      } catch (error) {
        recheck?.()
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
  const pool: pg.Pool = new pg.Pool({ ...settings, Client })
  pool.on('error', () => undefined)
  return pool
}
