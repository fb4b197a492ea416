import { v7 as uuid } from 'uuid'
import { Fault, NotFound } from '../../foundation/fault.ts'
import type { Database, Queryable } from '../relational/database.ts'
import { and, asc, eq, inArray, isNull, sql } from '../relational/drizzle.ts'
import { normalEmail } from './normal-email.ts'
import { hashPassword } from './password.ts'
import { identityAccount, identityToken } from './tables.ts'

export type Account = typeof identityAccount.$inferSelect

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  readonly givenName?: string
  readonly familyName?: string
  readonly locale?: string
  readonly tenant?: string
}

const maxListed = 10_000

/** The accounts of the embedded issuer, in PostgreSQL. Every method may fail with EngineUnavailable. */
export class Accounts {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async byEmail(email: string): Promise<Account | undefined> {
    // no address holds U+0000, and PostgreSQL does not take it
    if (email.includes('\u0000')) return undefined
    const [found] = await this.#database.orm
      .select()
      .from(identityAccount)
      .where(eq(identityAccount.email, normalEmail(email)))
    return found
  }

  async byId(id: string): Promise<Account | undefined> {
    const [found] = await this.#database.orm.select().from(identityAccount).where(eq(identityAccount.id, id))
    return found
  }

  /** Those that there are, in no order. */
  async byIds(ids: readonly string[]): Promise<readonly Account[]> {
    if (ids.length === 0) return []
    return this.#database.orm
      .select()
      .from(identityAccount)
      .where(inArray(identityAccount.id, [...ids]))
  }

  /** Those with a role that are in any of these groups and not disabled, by e-mail, at most 10,000. */
  async inGroups(groups: readonly string[], role: string): Promise<readonly Account[]> {
    return this.#database.orm
      .select()
      .from(identityAccount)
      .where(
        and(
          isNull(identityAccount.disabledAt),
          sql`${identityAccount.groups} && ${sql.param([...groups])}::text[]`,
          sql`${role} = any(${identityAccount.roles})`,
        ),
      )
      .orderBy(asc(identityAccount.email))
      .limit(maxListed)
  }

  /** by e-mail, at most 10,000 */
  list(): Promise<readonly Account[]> {
    return this.#database.orm.select().from(identityAccount).orderBy(asc(identityAccount.email)).limit(maxListed)
  }

  /** @throws {Fault} CONFLICT when the address has an account */
  async create({ email, password, roles, groups, ...more }: NewAccount): Promise<Account> {
    const passwordHash = await hashPassword(password)
    const [created] = await this.#database.orm
      .insert(identityAccount)
      .values({ id: uuid(), email: normalEmail(email), passwordHash, roles: [...roles], groups: [...groups], ...more })
      .onConflictDoNothing({ target: identityAccount.email })
      .returning()
    if (created === undefined) throw new Fault('CONFLICT', 'There is an account with this e-mail address')
    return created
  }

  /** Ends its sessions as well: whoever holds a refresh token may not be its owner. @throws {NotFound} */
  async setPassword(email: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password)
    await this.#database.transaction(async (tx) => {
      const id = await this.#change(email, { passwordHash }, tx)
      await tx.delete(identityToken).where(sql`${identityToken.payload}->>'accountId' = ${id}`)
    })
  }

  /** @throws {NotFound} */
  async setGroups(email: string, groups: readonly string[]): Promise<void> {
    await this.#change(email, { groups: [...groups] })
  }

  /** Its refresh tokens end with it; access tokens run out within minutes. @throws {NotFound} */
  async disable(email: string): Promise<void> {
    await this.#change(email, { disabledAt: new Date() })
  }

  /** @returns its id */
  async #change(email: string, values: Partial<typeof identityAccount.$inferInsert>, tx: Queryable = this.#database.orm): Promise<string> {
    const [changed] = await tx
      .update(identityAccount)
      .set({ ...values, updatedAt: sql`now()` })
      .where(eq(identityAccount.email, normalEmail(email)))
      .returning({ id: identityAccount.id })
    if (changed === undefined) throw new NotFound('There is no account with this e-mail address')
    return changed.id
  }
}
