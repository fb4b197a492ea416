import { v7 as uuid } from 'uuid'
import { Fault, NotFound } from '../../foundation/fault.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database, Queryable } from '../relational/database.ts'
import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { requireOpenAccount } from './account-status.ts'
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

/** A filter of accounts; empty: all. */
export interface AccountFilter {
  /** part of the address or of a name, case-insensitive */
  readonly text?: string | undefined
  readonly role?: string | undefined
  readonly group?: string | undefined
  readonly isDisabled?: boolean | undefined
}

/** Changes to an account; absent members stay unchanged. */
export type AccountChange = Partial<Pick<Account, 'roles' | 'groups' | 'givenName' | 'familyName' | 'locale' | 'tenant' | 'disabledAt'>>

/** Runs in the transaction of a change; an error rolls the change back. */
export type AccountChangeHook = (account: Account, tx: Queryable) => Promise<void>

/** The caller of a change and further work in its transaction. */
export interface AccountChangeContext {
  /** The caller, whose account must be open and have the role super_admin in the same transaction; absent for an operator at the command line. */
  readonly by?: UserPrincipal | undefined
  readonly within?: AccountChangeHook
}

const maxListed = 10_000
const mayAll = 'super_admin'

/** The accounts of the embedded issuer, in PostgreSQL. Every method may throw EngineUnavailable. */
export class Accounts {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async byEmail(email: string): Promise<Account | undefined> {
    // PostgreSQL rejects U+0000, which no address contains
    if (email.includes('\u0000')) return undefined
    const [row] = await this.#database.orm
      .select()
      .from(identityAccount)
      .where(eq(identityAccount.email, normalEmail(email)))
    return row
  }

  async byId(id: string): Promise<Account | undefined> {
    const [row] = await this.#database.orm.select().from(identityAccount).where(eq(identityAccount.id, id))
    return row
  }

  /** Returns the existing accounts among these ids, unordered. */
  async byIds(ids: readonly string[]): Promise<readonly Account[]> {
    if (ids.length === 0) return []
    return this.#database.orm
      .select()
      .from(identityAccount)
      .where(inArray(identityAccount.id, [...ids]))
  }

  /** Returns enabled accounts with a role in any of these groups, by e-mail, at most 10,000. */
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

  /** Returns all accounts by e-mail, at most 10,000. */
  list(): Promise<readonly Account[]> {
    return this.#database.orm.select().from(identityAccount).orderBy(asc(identityAccount.email)).limit(maxListed)
  }

  /** Returns a page by e-mail. @param window - positions are addresses */
  page(filter: AccountFilter, window: RowWindow<string>): Promise<readonly Account[]> {
    const { past, order } = keyset([identityAccount.email], 'ascending', window, (email) => [email])
    return this.#database.orm
      .select()
      .from(identityAccount)
      .where(and(wanted(filter), past))
      .orderBy(...order)
      .limit(window.limit)
  }

  count(filter: AccountFilter): Promise<number> {
    return this.#database.orm.$count(identityAccount, wanted(filter))
  }

  /**
   * @throws {Fault} CONFLICT if the address has an account
   * @throws {AccountClosed} {RoleWithdrawn} of the caller
   */
  async create({ email, password, roles, groups, ...more }: NewAccount, { by, within }: AccountChangeContext = {}): Promise<Account> {
    const passwordHash = await hashPassword(password)
    return this.#database.transaction(async (tx) => {
      await lockWith(tx, by)
      const [created] = await tx
        .insert(identityAccount)
        .values({ id: uuid(), email: normalEmail(email), passwordHash, roles: [...roles], groups: [...groups], ...more })
        .onConflictDoNothing({ target: identityAccount.email })
        .returning()
      if (created === undefined)
        throw new Fault('CONFLICT', 'An account with this e-mail address already exists: use another address, or change that account')
      await within?.(created, tx)
      return created
    })
  }

  /**
   * Changes an account. Roles and groups apply immediately; disabling ends its sessions permanently. @throws {NotFound}
   * @throws {Fault} CONFLICT if no open account with the role super_admin would remain
   * @throws {AccountClosed} {RoleWithdrawn} of the caller
   */
  async change(id: string, values: AccountChange, { by, within }: AccountChangeContext = {}): Promise<Account> {
    return this.#database.transaction(async (tx) => {
      const locked = await lockWith(tx, by, or(eq(identityAccount.id, id), sql`${mayAll} = any(${identityAccount.roles})`))
      const leading = locked.filter(isLeading)
      const [changed] = await tx
        .update(identityAccount)
        .set({ ...values, updatedAt: sql`now()` })
        .where(eq(identityAccount.id, id))
        .returning()
      if (changed === undefined) throw new NotFound('Account not found')
      if (!isLeading(changed) && leading.length === 1 && leading[0]?.id === id)
        throw new Fault('CONFLICT', `This is the last account that is ${mayAll} and not disabled: create another one first`)
      if (values.disabledAt != null) await endSessions(id, tx)
      await within?.(changed, tx)
      return changed
    })
  }

  /**
   * Sets the password and ends all sessions, since a refresh token may be in other hands. @throws {NotFound}
   * @throws {AccountClosed} {RoleWithdrawn} of the caller
   */
  async setPassword(id: string, password: string, { by, within }: AccountChangeContext = {}): Promise<Account> {
    const passwordHash = await hashPassword(password)
    return this.#database.transaction(async (tx) => {
      await lockWith(tx, by, eq(identityAccount.id, id))
      const [changed] = await tx
        .update(identityAccount)
        .set({ passwordHash, updatedAt: sql`now()` })
        .where(eq(identityAccount.id, id))
        .returning()
      if (changed === undefined) throw new NotFound('Account not found')
      await endSessions(id, tx)
      await within?.(changed, tx)
      return changed
    })
  }
}

const isLeading = ({ disabledAt, roles }: Account): boolean => disabledAt === null && roles.includes(mayAll)

/**
 * Locks the accounts of the caller and of the action in id order, which prevents deadlocks, and checks the caller.
 * @returns the locked accounts
 * @throws {AccountClosed} {RoleWithdrawn}
 */
async function lockWith(tx: Queryable, by: UserPrincipal | undefined, needed?: SQL): Promise<readonly Account[]> {
  const caller = by === undefined ? undefined : eq(identityAccount.id, by.subject)
  if (caller === undefined && needed === undefined) return []
  const locked = await tx.select().from(identityAccount).where(or(caller, needed)).orderBy(asc(identityAccount.id)).for('update')
  if (by !== undefined) {
    const account = locked.find(({ id }) => id === by.subject)
    await requireOpenAccount(tx, by, account, mayAll)
  }
  return locked
}

/** Ends sessions and sign-ins that have passed the password check. */
const endSessions = (id: string, tx: Queryable) =>
  tx
    .delete(identityToken)
    .where(or(sql`${identityToken.payload}->>'accountId' = ${id}`, sql`${identityToken.payload}->'result'->'login'->>'accountId' = ${id}`))

function wanted({ text, role, group, isDisabled }: AccountFilter): SQL | undefined {
  const part = text === undefined ? undefined : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const name = sql<string>`concat_ws(' ', ${identityAccount.givenName}, ${identityAccount.familyName})`
  return and(
    part === undefined ? undefined : or(sql`${identityAccount.email} ilike ${part}`, sql`${name} ilike ${part}`),
    role === undefined ? undefined : sql`${role} = any(${identityAccount.roles})`,
    group === undefined ? undefined : sql`${group} = any(${identityAccount.groups})`,
    isDisabled === undefined ? undefined : (isDisabled ? isNotNull : isNull)(identityAccount.disabledAt),
  )
}
