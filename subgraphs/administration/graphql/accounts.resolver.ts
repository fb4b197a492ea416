import { Arg, Args, ArgsType, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { AuditEntry, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { AccountClosed, RoleWithdrawn } from '../../../engines/identity/account-status.ts'
import type { AccountChange, AccountChangeContext, AccountFilter, Accounts, Account as Row } from '../../../engines/identity/accounts.ts'
import { InvalidCredentials } from '../../../engines/identity/identity-provider.ts'
import type { LoginGuard } from '../../../engines/identity/login-guard.ts'
import { fitsPassword, newPassword } from '../../../engines/identity/password.ts'
import { ownerAt } from '../../../foundation/concurrency/fair-queue.ts'
import { Fault, NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { textViolations, tooLong, tooShort, type Violation } from '../../../foundation/validation/violation.ts'
import { checkAccount } from '../accounts/account-rules.ts'
import { rolesOf, staff } from '../roles.ts'
import {
  Account,
  AccountConnection,
  AccountFilterInput,
  ChangeOwnPasswordInput,
  ChangeOwnPasswordPayload,
  CreateAccountInput,
  CreateAccountPayload,
  ResetAccountPasswordInput,
  ResetAccountPasswordPayload,
  UpdateAccountInput,
  UpdateAccountPayload,
} from './account.type.ts'
import { Administrator } from './administrator.type.ts'

const minPasswordLength = 12
const maxPasswordLength = 200
/** as at a login: operators set passwords of any length */
const maxAttemptLength = 1024
const superAdmins = [userWith('super_admin')] as const
const accountsOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class AccountsArgs extends pageArguments(accountsOfPage) {}

/** Accounts of the embedded issuer, for super_admins; every read and change is audited. */
@Resolver(() => Administrator)
export class AccountsResolver {
  readonly #accounts: Accounts | undefined
  readonly #audit: AuditTrail
  readonly #guard: LoginGuard

  /** @param accounts - undefined with an external identity provider */
  constructor(accounts: Accounts | undefined, audit: AuditTrail, guard: LoginGuard) {
    this.#accounts = accounts
    this.#audit = audit
    this.#guard = guard
  }

  @Query(() => AccountConnection, {
    description: 'Accounts, ordered by e-mail address; null when accounts are managed by the identity provider of OIDC_ISSUER_URL.',
  })
  @Authorise(...superAdmins)
  async accounts(
    @Arg('filter', () => AccountFilterInput, { nullable: true, description: 'Restricts the list.' }) filter:
      | AccountFilterInput
      | null
      | undefined,
    @Args(() => AccountsArgs) args: AccountsArgs,
    @Ctx() context: RequestContext,
  ): Promise<AccountConnection | null> {
    const cursors = new Cursors(['accounts'], filter)
    const [window, wanted] = await both(
      () => pageWindow(args, accountsOfPage, (cursor, argument) => cursors.idOf(cursor, argument, isStorableText)),
      () => filterOf(filter ?? {}),
    )
    const accounts = this.#accounts
    if (accounts === undefined) return null
    const rows = await accounts.page(wanted, window)
    await this.#audit.record(context, [{ action: 'accounts.read', outcome: 'done', details: { first: window.size } }])
    return { ...pageOf(rows.map(typeOfRow), window, ({ email }) => cursors.of(email)), count: () => accounts.count(wanted) }
  }

  @Mutation(() => CreateAccountPayload, { description: 'Creates an account with a random password, which is returned once.' })
  @Authorise(...superAdmins)
  async createAccount(
    @Arg('input', () => CreateAccountInput) input: CreateAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateAccountPayload> {
    const accounts = this.#builtIn()
    const { groupIds, groups: formerGroups, ...rest } = input
    // the former name has an empty list as its default
    const sent = { ...(groupIds !== undefined && { groupIds }), ...(formerGroups.length > 0 && { groups: formerGroups }) }
    const violations: Violation[] = []
    const { name: groupsMember, value: groups } = renamed<GroupsInput, keyof GroupsInput>(sent, 'groupIds', 'groups', violations)
    checkAccount({ ...rest, groups }, groupsMember, violations)
    const { email, roles, tenantId: tenant, ...more } = rest
    const optional = Object.fromEntries(Object.entries({ tenant, ...more }).filter(([, value]) => value != null))
    const password = newPassword()
    const draft = { email, password, roles: [...new Set(roles)], groups: [...new Set(groups ?? [])], ...optional }
    const account = await this.#act({ action: 'account.create', details: { roles } }, context, (act) => accounts.create(draft, act))
    return { account: typeOfRow(account), password }
  }

  @Mutation(() => UpdateAccountPayload, {
    description: 'Changes the roles, groups, names or tenant of an account, or disables or enables it.',
  })
  @Authorise(...superAdmins)
  async updateAccount(
    @Arg('input', () => UpdateAccountInput) input: UpdateAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateAccountPayload> {
    const accounts = this.#builtIn()
    const id = idOf(input)
    const { groupIds: _groupIds, groups: _groups, ...rest } = input
    const violations: Violation[] = []
    const { name: groupsMember, value: groups } = renamed(input, 'groupIds', 'groups', violations)
    checkAccount({ ...rest, groups }, groupsMember, violations)
    const change = changeOf({ ...rest, groups })
    const details = {
      members: Object.keys(change),
      ...(input.roles != null && { roles: input.roles }),
      ...(input.disabled != null && { disabled: input.disabled }),
    }
    const account = await this.#act({ action: 'account.update', target: id, details }, context, (act) => accounts.change(id, change, act))
    return { account: typeOfRow(account) }
  }

  @Mutation(() => ResetAccountPasswordPayload, {
    description: 'Replaces the password of an account by a random one, which is returned once, and ends the account’s sessions.',
  })
  @Authorise(...superAdmins)
  async resetAccountPassword(
    @Arg('input', () => ResetAccountPasswordInput) input: ResetAccountPasswordInput,
    @Ctx() context: RequestContext,
  ): Promise<ResetAccountPasswordPayload> {
    const accounts = this.#builtIn()
    const id = idOf(input)
    const password = newPassword()
    const entry = { action: 'account.reset-password', target: id, details: {} } as const
    const account = await this.#act(entry, context, (act) => accounts.setPassword(id, password, act))
    return { account: typeOfRow(account), password }
  }

  @Mutation(() => ChangeOwnPasswordPayload, {
    description: 'Changes the password of the caller’s account at the embedded issuer and ends all of its sessions, this one included.',
  })
  @Authorise(...staff)
  async changeOwnPassword(
    @Arg('input', () => ChangeOwnPasswordInput) { currentPassword, newPassword: wanted }: ChangeOwnPasswordInput,
    @Ctx() context: RequestContext,
  ): Promise<ChangeOwnPasswordPayload> {
    const accounts = this.#builtIn()
    refuseViolations([
      ...(currentPassword.length > maxAttemptLength ? [tooLong(['currentPassword'], maxAttemptLength)] : []),
      ...(wanted.length < minPasswordLength ? [tooShort(['newPassword'], minPasswordLength)] : []),
      ...(wanted.length > maxPasswordLength ? [tooLong(['newPassword'], maxPasswordLength)] : []),
    ])
    const account = await accounts.byId(context.principal.user?.subject ?? '')
    if (account === undefined) throw new NotFound('Account not found')
    const entry = { action: 'account.change-password', target: account.id, details: {} } as const
    const check = async (): Promise<void> => {
      if (!(await fitsPassword(currentPassword, account.passwordHash, ownerAt(context.address)))) throw new InvalidCredentials()
    }
    try {
      await this.#guard.watch({ email: account.email, address: context.address }, check, (error) => error instanceof InvalidCredentials)
    } catch (error) {
      if (error instanceof InvalidCredentials) await this.#audit.record(context, [{ ...entry, outcome: 'refused' }])
      throw error
    }
    // no other account may do this, so that no role is required
    await accounts.setPassword(account.id, wanted, {
      within: (_, tx) => this.#audit.record(context, [{ ...entry, outcome: 'done' }], tx),
    })
    return { sessionsEnded: true }
  }

  @FieldResolver(() => Account, {
    nullable: true,
    description:
      'The account of the administrator at the embedded issuer, which `updateAccount` changes; null with an external identity provider. Requires SUPER_ADMIN.',
  })
  @Authorise(...superAdmins)
  account(@Root() { id }: Administrator, @Ctx() context: RequestContext): Promise<Account | null> {
    return this.find(id, context)
  }

  /** Returns an account by id, batched per request; null when it is unknown or the caller may not read accounts. */
  async find(id: string, context: RequestContext): Promise<Account | null> {
    if (!superAdmins.some((rule) => rule.allows(context.principal, undefined)) || !isStorableText(id)) return null
    return loader<string, Account | null>(context, 'accounts', async (ids) => {
      const rows = new Map(((await this.#accounts?.byIds(ids)) ?? []).map((row) => [row.id, typeOfRow(row)]))
      await this.#audit.record(context, [{ action: 'accounts.read', outcome: 'done', details: { accounts: ids } }])
      return ids.map((each) => rows.get(each) ?? null)
    }).load(id)
  }

  /**
   * Runs a change of an account and its audit record in one transaction. If the caller's account was closed meanwhile, the refusal is
   * recorded.
   * @throws {AccountClosed}  @throws {RoleWithdrawn}
   */
  async #act(entry: Omit<AuditEntry, 'outcome'>, context: RequestContext, work: (act: AccountChangeContext) => Promise<Row>): Promise<Row> {
    const within: AccountChangeContext['within'] = ({ id }, tx) =>
      this.#audit.record(context, [{ ...entry, outcome: 'done', target: id }], tx)
    try {
      return await work({ by: context.principal.user, within })
    } catch (error) {
      if (error instanceof AccountClosed || error instanceof RoleWithdrawn)
        await this.#audit.record(context, [{ ...entry, outcome: 'refused', details: { ...entry.details, reason: error.message } }])
      throw error
    }
  }

  /** @throws {Fault} CONFLICT with an external identity provider */
  #builtIn(): Accounts {
    if (this.#accounts === undefined)
      throw new Fault('CONFLICT', 'Accounts are managed by the identity provider of OIDC_ISSUER_URL; change them there')
    return this.#accounts
  }
}

/** @throws {NotFound} for a malformed id */
function idOf({ id }: { readonly id: string }): string {
  if (isStorableText(id)) return id
  throw new NotFound('Account not found')
}

type GroupsInput = Pick<UpdateAccountInput, 'groupIds' | 'groups'>

type Changes = Omit<UpdateAccountInput, keyof GroupsInput> & { readonly groups: readonly string[] | null | undefined }

function changeOf({ id: _, roles, groups, tenantId, disabled, ...texts }: Changes): AccountChange {
  return {
    // null removes a value
    ...Object.fromEntries(Object.entries({ tenant: tenantId, ...texts }).filter(([, value]) => value !== undefined)),
    ...(roles != null && { roles: [...new Set(roles)] }),
    ...(groups != null && { groups: [...new Set(groups)] }),
    ...(disabled != null && { disabledAt: disabled ? new Date() : null }),
  }
}

const maxText = 200

/** @throws {InvalidInput} for a value that no account can have */
function filterOf(filter: AccountFilterInput): AccountFilter {
  const { text, role, disabled } = filter
  const violations: Violation[] = []
  const { name: groupMember, value: group } = renamed(filter, 'groupId', 'group', violations)
  for (const [member, value] of Object.entries({ text, [groupMember]: group })) {
    if (value != null) violations.push(...textViolations([member], value, maxText))
  }
  refuseViolations(violations)
  return { text: text ?? undefined, role: role ?? undefined, group: group ?? undefined, isDisabled: disabled ?? undefined }
}

function typeOfRow({ roles, groups, tenant, passwordHash: _, updatedAt: __, ...row }: Row): Account {
  return { ...row, tenant: tenant === null ? null : { id: tenant }, roles: rolesOf(roles), groups: groups.map((id) => ({ id })) }
}
