import { text } from 'node:stream/consumers'
import { Accounts } from '../../subgraphs/engines/identity/accounts.ts'
import { isEmail } from '../../subgraphs/engines/identity/normal-email.ts'
import { newPassword } from '../../subgraphs/engines/identity/password.ts'
import { type Command, CommandProblem, readWords } from './command.ts'
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

/** `admin …`: accounts of the issuer in the platform. */
export const manageAccounts: Command = async (words, config, say) => {
  const { values, positionals } = readWords(words, options)
  const [verb, email = ''] = positionals
  if (config.identity.issuerUrl !== undefined)
    throw new Error(`Accounts are kept by the issuer that OIDC_ISSUER_URL names: ${config.identity.issuerUrl}`)
  if (!['create', 'list', 'disable', 'set-password', 'set-groups'].includes(verb ?? ''))
    throw new CommandProblem(`There is no command admin ${verb ?? ''}`)
  if (verb !== 'list' && !isEmail(email)) throw new CommandProblem('An e-mail address is missing')
  if (verb === 'create' && !roles.includes(values.role ?? '')) throw new CommandProblem(`--role must be one of ${roles.join(', ')}`)
  const groups = values.group ?? []
  const password = verb === 'create' || verb === 'set-password' ? await passwordFor(values['password-stdin'] ?? false) : undefined

  await withDatabase(config, async (database) => {
    const accounts = new Accounts(database)
    if (verb === 'list') {
      for (const { email: each, disabledAt, roles: its, groups: within } of await accounts.list())
        say([each, disabledAt === null ? 'enabled' : 'disabled', its.join('+'), within.join('+')].join('\t'))
    } else if (verb === 'create') {
      const { 'given-name': givenName, 'family-name': familyName, locale, tenant } = values
      const more = Object.fromEntries(Object.entries({ givenName, familyName, locale, tenant }).filter(([, value]) => value !== undefined))
      await accounts.create({ email, password: password?.value ?? '', roles: [values.role ?? ''], groups, ...more })
      say(`${email} is ${values.role}${groups.length > 0 ? ` of ${groups.join(', ')}` : ''}`)
    } else if (verb === 'disable') {
      await accounts.disable(email)
      say(`${email} is disabled; access tokens that it has end within minutes`)
    } else if (verb === 'set-groups') {
      await accounts.setGroups(email, groups)
      say(`${email} has the groups ${groups.join(', ') || '(none)'} from its next token on`)
    } else {
      await accounts.setPassword(email, password?.value ?? '')
      say(`${email} has a new password`)
    }
  })
  if (password?.isMade) say(`password: ${password.value}   (shown only now)`)
  return 0
}

async function passwordFor(fromInput: boolean): Promise<{ readonly value: string; readonly isMade: boolean }> {
  if (!fromInput) return { value: newPassword(), isMade: true }
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (value.length < minPasswordCharacters)
    throw new CommandProblem(`The password on standard input must have at least ${minPasswordCharacters} characters`)
  return { value, isMade: false }
}
