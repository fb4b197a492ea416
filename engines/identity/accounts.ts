import { v7 as uuid } from 'uuid'
import { Fault, NotFound } from '../../foundation/fault.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database, Queryable } from '../relational/database.ts'
import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { requireStanding } from './account-standing.ts'
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

/** Which accounts are meant; all without a word. */
export interface AccountFilter {
  /** a part of the address or of a name, in whatever case */
  readonly text?: string | undefined
  readonly role?: string | undefined
  readonly group?: string | undefined
  readonly isDisabled?: boolean | undefined
}

/** What somebody may change about an account; what is left out stays. */
export type AccountChange = Partial<Pick<Account, 'roles' | 'groups' | 'givenName' | 'familyName' | 'locale' | 'tenant' | 'disabledAt'>>

/** Does something in the transaction of a change; what it throws undoes the change. */
export type WithinChange = (account: Account, tx: Queryable) => Promise<void>

/** On whose behalf an account is changed, and what else belongs to the transaction. */
export interface AccountAct {
  /** The caller, whose account must be open and have the role super_admin in the same transaction; unset for an operator at the command line. */
  readonly by?: UserPrincipal | undefined
  readonly within?: WithinChange
}

const maxListed = 10_000
const mayAll = 'super_admin'

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

  /** By e-mail. @param window - places are addresses */
  page(filter: AccountFilter, window: RowWindow<string>): Promise<readonly Account[]> {
    const { past, order } = keyset([identityAccount.email], 'rising', window, (email) => [email])
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

  /** @throws {Fault} CONFLICT when the address has an account   @throws {AccountClosed} {RoleWithdrawn} of the caller */
  async create({ email, password, roles, groups, ...more }: NewAccount, { by, within }: AccountAct = {}): Promise<Account> {
    const passwordHash = await hashPassword(password)
    return this.#database.transaction(async (tx) => {
      await lockWith(tx, by)
      const [created] = await tx
        .insert(identityAccount)
        .values({ id: uuid(), email: normalEmail(email), passwordHash, roles: [...roles], groups: [...groups], ...more })
        .onConflictDoNothing({ target: identityAccount.email })
        .returning()
      if (created === undefined) throw new Fault('CONFLICT', 'There is an account with this e-mail address')
      await within?.(created, tx)
      return created
    })
  }

  /**
   * Roles and groups count at once; the sessions of an account that is disabled end for good.
   * @throws {NotFound}   @throws {Fault} CONFLICT where no open account with the role super_admin would remain
   * @throws {AccountClosed} {RoleWithdrawn} of the caller
   */
  async change(id: string, values: AccountChange, { by, within }: AccountAct = {}): Promise<Account> {
    return this.#database.transaction(async (tx) => {
      const locked = await lockWith(tx, by, or(eq(identityAccount.id, id), sql`${mayAll} = any(${identityAccount.roles})`))
      const leading = locked.filter(isLeading)
      const [changed] = await tx
        .update(identityAccount)
        .set({ ...values, updatedAt: sql`now()` })
        .where(eq(identityAccount.id, id))
        .returning()
      if (changed === undefined) throw new NotFound('There is no account with this id')
      if (!isLeading(changed) && leading.length === 1 && leading[0]?.id === id)
        throw new Fault('CONFLICT', `This is the last account that is ${mayAll} and not disabled: make another one first`)
      if (values.disabledAt != null) await endSessions(id, tx)
      await within?.(changed, tx)
      return changed
    })
  }

  /** Ends its sessions as well: the holder of a refresh token may not be its owner. @throws {NotFound}   @throws {AccountClosed} {RoleWithdrawn} of the caller */
  async setPassword(id: string, password: string, { by, within }: AccountAct = {}): Promise<Account> {
    const passwordHash = await hashPassword(password)
    return this.#database.transaction(async (tx) => {
      await lockWith(tx, by, eq(identityAccount.id, id))
      const [changed] = await tx
        .update(identityAccount)
        .set({ passwordHash, updatedAt: sql`now()` })
        .where(eq(identityAccount.id, id))
        .returning()
      if (changed === undefined) throw new NotFound('There is no account with this id')
      await endSessions(id, tx)
      await within?.(changed, tx)
      return changed
    })
  }
}

const isLeading = ({ disabledAt, roles }: Account): boolean => disabledAt === null && roles.includes(mayAll)

/**
 * Locks the caller's account and those that an act needs, in the order of their ids so that concurrent acts wait for each other, and checks the caller.
 * @returns the locked accounts   @throws {AccountClosed}   @throws {RoleWithdrawn}
 */
async function lockWith(tx: Queryable, by: UserPrincipal | undefined, needed?: SQL): Promise<readonly Account[]> {
  const caller = by === undefined ? undefined : eq(identityAccount.id, by.subject)
  if (caller === undefined && needed === undefined) return []
  const locked = await tx.select().from(identityAccount).where(or(caller, needed)).orderBy(asc(identityAccount.id)).for('update')
  if (by !== undefined) {
    const account = locked.find(({ id }) => id === by.subject)
    await requireStanding(tx, by, account, mayAll)
  }
  return locked
}

const endSessions = (id: string, tx: Queryable) => tx.delete(identityToken).where(sql`${identityToken.payload}->>'accountId' = ${id}`)

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
