import type { Database, Transaction } from '../../engines/relational/database.ts'
import { clientOf } from '../../engines/relational/session.ts'

/** how long a process may use a list that it has read */
const freshMs = 5000

/** Signed links that were revoked before they expired; every process refuses them within 5 s. */
export class RevokedLinks {
  readonly #database: Database
  #keys: ReadonlySet<string> | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns whether a link is revoked. While the database is unavailable, the last list decides; without a list every link counts as revoked. */
  async has(key: string): Promise<boolean> {
    if (performance.now() - this.#readAt > freshMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
      })
      await this.#reading.catch(() => undefined)
    }
    return this.#keys?.has(key) ?? true
  }

  /** @param expiresAt - latest time at which the link can expire */
  async add(tx: Transaction, key: string, tenant: string, expiresAt: Date): Promise<void> {
    const client = clientOf(tx)
    await client.query('delete from content_link_revocation where expires_at < now()')
    await client.query('insert into content_link_revocation (key, tenant, expires_at) values ($1, $2, $3) on conflict do nothing', [
      key,
      tenant,
      expiresAt,
    ])
  }

  /** Makes this process read the list again. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  async #read(): Promise<void> {
    const at = performance.now()
    const { rows } = await this.#database.pool.query<{ key: string; tenant: string }>('select key, tenant from content_link_revocation')
    this.#keys = new Set(rows.map(({ key, tenant }) => `${tenant} ${key}`))
    this.#readAt = at
  }
}
