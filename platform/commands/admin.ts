import { text } from 'node:stream/consumers'
import type { AuditAction } from '../../engines/audit/audit-actions.ts'
import { type Account, type AccountChangeContext, Accounts } from '../../engines/identity/accounts.ts'
import { isEmail } from '../../engines/identity/normal-email.ts'
import { newPassword } from '../../engines/identity/password.ts'
import { NotFound } from '../../foundation/fault.ts'
import { type Command, CommandProblem, readWords } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withDatabase } from './database.ts'

const minPasswordCharacters = 12
const roles = ['super_admin', 'group_admin', 'reviewer']
const option = { type: 'string' } as const
const options = {
  role: option,
  group: { type: 'string', multiple: true },
  'given-name': option,
  'family-name': option,
  locale: option,
  tenant: option,
  'password-stdin': { type: 'boolean' },
} as const

/** `admin …`: manages accounts of the embedded issuer. */
export const manageAccounts: Command = async (words, config, writeLine) => {
  const { values, positionals } = readWords(words, options)
  const [verb, email = ''] = positionals
  if (config.identity.issuerUrl !== undefined)
    throw new Error(`Accounts are managed at the issuer in OIDC_ISSUER_URL: ${config.identity.issuerUrl}`)
  if (!['create', 'list', 'disable', 'set-password', 'set-groups'].includes(verb ?? ''))
    throw new CommandProblem(`Unknown command: admin ${verb ?? ''}`)
  if (verb !== 'list' && !isEmail(email)) throw new CommandProblem('An e-mail address is missing')
  if (verb === 'create' && !roles.includes(values.role ?? '')) throw new CommandProblem(`--role must be one of ${roles.join(', ')}`)
  const groups = values.group ?? []
  const password = verb === 'create' || verb === 'set-password' ? await passwordFor(values['password-stdin'] ?? false) : undefined

  await withDatabase(config, async (database) => {
    const accounts = new Accounts(database)
    const record = commandTrail(database)
    const noting = (action: AuditAction, details: Readonly<Record<string, unknown>> = {}): AccountChangeContext => ({
      within: ({ id }, tx) => record({ action, target: id, details }, tx),
    })
    if (verb === 'list') {
      await record({ action: 'accounts.read' })
      for (const { email: each, disabledAt, roles: its, groups: within } of await accounts.list())
        writeLine([each, disabledAt === null ? 'enabled' : 'disabled', its.join('+'), within.join('+')].join('\t'))
    } else if (verb === 'create') {
      const { role = '', 'given-name': givenName, 'family-name': familyName, locale, tenant } = values
      const more = Object.fromEntries(Object.entries({ givenName, familyName, locale, tenant }).filter(([, value]) => value !== undefined))
      const created = { email, password: password?.value ?? '', roles: [role], groups, ...more }
      await accounts.create(created, noting('account.create', { roles: [role] }))
      writeLine(`${email} is ${role}${groups.length > 0 ? ` of ${groups.join(', ')}` : ''}`)
    } else if (verb === 'disable') {
      const { id } = await accountOf(accounts, email)
      await accounts.change(id, { disabledAt: new Date() }, noting('account.update', { members: ['disabledAt'], disabled: true }))
      writeLine(`${email} is disabled; its sessions and access tokens have ended`)
    } else if (verb === 'set-groups') {
      const { id } = await accountOf(accounts, email)
      await accounts.change(id, { groups }, noting('account.update', { members: ['groups'] }))
      writeLine(`${email} is now in the groups ${groups.join(', ') || '(none)'}`)
    } else {
      const { id } = await accountOf(accounts, email)
      await accounts.setPassword(id, password?.value ?? '', noting('account.reset-password'))
      writeLine(`${email} has a new password`)
    }
  })
  if (password?.isMade) writeLine(`password: ${password.value}   (shown only once)`)
  return 0
}

/** @throws {NotFound} */
async function accountOf(accounts: Accounts, email: string): Promise<Account> {
  const account = await accounts.byEmail(email)
  if (account === undefined) throw new NotFound('No account has this e-mail address')
  return account
}

async function passwordFor(fromInput: boolean): Promise<{ readonly value: string; readonly isMade: boolean }> {
  if (!fromInput) return { value: newPassword(), isMade: true }
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (value.length < minPasswordCharacters)
    throw new CommandProblem(`The password on standard input must have at least ${minPasswordCharacters} characters`)
  return { value, isMade: false }
}
