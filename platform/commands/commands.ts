import { randomBytes } from 'node:crypto'
import { access, constants } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { importDelegations, removeDemonstrationDelegations } from '../../subgraphs/administration/index.ts'
import { removeDemonstration } from '../../subgraphs/content/index.ts'
import { postgresAnalyticsStore } from '../../subgraphs/engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../subgraphs/engines/event-feed/relay-event-feed.ts'
import { Accounts } from '../../subgraphs/engines/identity/accounts.ts'
import { postgresTreeStore } from '../../subgraphs/engines/tree-store/postgres/postgres-tree-store.ts'
import { systemClock } from '../../subgraphs/foundation/clock.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import { createLog } from '../../subgraphs/foundation/log.ts'
import { removeDemonstrationData } from '../demonstration/expressions.ts'
import { demonstrationTenant } from '../demonstration/magazine.ts'
import { CommandProblem, Interrupted, interruptedCode, withDatabase } from './command-database.ts'
import { type CommandName, isCommand } from './command-names.ts'
import { linesOf } from './file-lines.ts'
import { keysUsage, manageKeys } from './keys.ts'
import { modelsUsage } from './models-usage.ts'

const usage = {
  admin: `npm run admin -- create EMAIL --role super_admin|group_admin [--group ID …] [--given-name X] [--family-name X] [--locale X] [--tenant X] [--password-stdin]
npm run admin -- list
npm run admin -- disable EMAIL
npm run admin -- set-password EMAIL [--password-stdin]
npm run admin -- set-groups EMAIL [--group ID …]
Without --password-stdin a password is made and printed once.`,
  keys: keysUsage,
  search: `npm run search -- check     tells how the search index differs from the analytics database, and ends with 1 when it does
npm run search -- rebuild   makes a new index from the analytics database, beside a running platform; the old one answers until then
npm run search -- prune     removes what an earlier version, or another encoder, had put into the index; not while one that needs it runs`,
  rollups: `npm run rollups -- check     compares what exploration counts with the analytics database, and ends with 1 when it differs
npm run rollups -- rebuild   counts everything anew, beside a running platform; what was counted before answers until then`,
  ingest: `npm run ingest -- FILE.ndjson [--source NAME]   takes in expressions, a line each, as POST /api/v1/expressions has them; interrupted, the same command goes on
npm run ingest -- redrive                       gives expressions that could not be written or completed another chance`,
  delegations: 'npm run delegations -- import FILE.ndjson|FILE.csv',
  models: modelsUsage,
  'demo-data': 'npm run demo-data -- remove',
} satisfies Record<CommandName, string>

const shortestPassword = 12
const removalMs = 30_000
const roles = ['super_admin', 'group_admin']

/** Runs `admin …`, `keys …`, `search …`, `rollups …`, `delegations …`, `models …` or `demo-data …` on the platform's database, beside a running platform or without one. @returns the exit code */
export async function runCommand(words: readonly string[], config: Config, say: (line: string) => unknown): Promise<number> {
  const [command, ...rest] = words
  if (!isCommand(command)) throw new Error(`${command} is no command`)
  try {
    if (command === 'admin') await administer(rest, config, say)
    else if (command === 'keys') await manageKeys(rest, config, say)
    else if (command === 'search') return await (await import('./search.ts')).manageSearch(rest, config, say)
    else if (command === 'rollups') return await (await import('./roll-ups.ts')).manageRollUps(rest, config, say)
    else if (command === 'ingest') return await (await import('./ingest.ts')).ingest(rest, config, say)
    else if (command === 'models') return await (await import('./models.ts')).manageModels(rest, config, say)
    else if (command === 'demo-data') await clearDemonstration(rest, config, say)
    else return await bringDelegations(rest, config, say)
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${error.message}\n${error instanceof CommandProblem ? `${usage[command]}\n` : ''}`)
    return error instanceof Interrupted ? interruptedCode : 1
  }
}

async function administer(words: readonly string[], config: Config, say: (line: string) => unknown): Promise<void> {
  const { values, positionals } = readWords(words)
  const [verb, email] = positionals
  if (config.identity.issuerUrl !== undefined)
    throw new Error(`Accounts are kept by the issuer that OIDC_ISSUER_URL names: ${config.identity.issuerUrl}`)
  if (!['create', 'list', 'disable', 'set-password', 'set-groups'].includes(verb ?? ''))
    throw new CommandProblem(`There is no command admin ${verb ?? ''}`)
  if (verb !== 'list' && (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))) throw new CommandProblem('An e-mail address is missing')
  if (verb === 'create' && !roles.includes(values.role ?? '')) throw new CommandProblem(`--role must be one of ${roles.join(', ')}`)
  const groups = values.group ?? []
  const password = verb === 'create' || verb === 'set-password' ? await newPassword(values['password-stdin'] ?? false) : undefined

  await withDatabase(config, async (database) => {
    const accounts = new Accounts(database)
    if (verb === 'list')
      for (const account of await accounts.list())
        say(
          [account.email, account.disabledAt === null ? 'enabled' : 'disabled', account.roles.join('+'), account.groups.join('+')].join(
            '\t',
          ),
        )
    else if (verb === 'create') {
      const { 'given-name': givenName, 'family-name': familyName, locale, tenant } = values
      const more = Object.fromEntries(Object.entries({ givenName, familyName, locale, tenant }).filter(([, value]) => value !== undefined))
      await accounts.create({ email: email ?? '', password: password?.value ?? '', roles: [values.role ?? ''], groups, ...more })
      say(`${email} is ${values.role}${groups.length > 0 ? ` of ${groups.join(', ')}` : ''}`)
    } else if (verb === 'disable') {
      await accounts.disable(email ?? '')
      say(`${email} is disabled; access tokens that it has end within minutes`)
    } else if (verb === 'set-groups') {
      await accounts.setGroups(email ?? '', groups)
      say(`${email} has the groups ${groups.join(', ') || '(none)'} from its next token on`)
    } else {
      await accounts.setPassword(email ?? '', password?.value ?? '')
      say(`${email} has a new password`)
    }
  })
  if (password?.isMade) say(`password: ${password.value}   (shown only now)`)
}

/** @returns the exit code: 1 when lines were refused */
async function bringDelegations(words: readonly string[], config: Config, say: (line: string) => unknown): Promise<number> {
  const [verb, file] = readWords(words).positionals
  const [, format] = /\.(ndjson|csv)$/i.exec(file ?? '') ?? []
  if (verb !== 'import' || file === undefined || format === undefined)
    throw new CommandProblem('A file that ends in .ndjson or .csv is missing')
  await access(file, constants.R_OK)
  return withDatabase(
    config,
    async (database, interrupted) => {
      const { problems, ...counts } = await importDelegations(
        { database, clock: systemClock },
        until(interrupted, linesOf(file)),
        format.toLowerCase() === 'csv' ? 'csv' : 'ndjson',
      )
      for (const problem of problems) process.stderr.write(`${problem}\n`)
      say(
        Object.entries(counts)
          .map(([what, count]) => `${what} ${count}`)
          .join(', '),
      )
      return counts.refused === 0 ? 0 : 1
    },
    'lines that were kept stay, and the same command brings the others',
  )
}

/** @throws what the signal was aborted with */
async function* until<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    signal.throwIfAborted()
    yield item
  }
}

async function clearDemonstration(words: readonly string[], config: Config, say: (line: string) => unknown): Promise<void> {
  if (words.length !== 1 || words[0] !== 'remove') throw new CommandProblem(`There is no command demo-data ${words.join(' ')}`)
  await withDatabase(config, async (database, interrupted) => {
    // what is announced here nobody hears; followers look for themselves within a second
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => '' }, log: createLog('fatal') })
    const removed = await removeDemonstrationData(postgresAnalyticsStore({ database, feed }), config.dataDir)
    say(`${removed} demonstration expressions are removed with their votes`)
    const nodes = await removeDemonstration(
      postgresTreeStore(database),
      demonstrationTenant,
      AbortSignal.any([interrupted, AbortSignal.timeout(removalMs)]),
    )
    say(
      nodes === 0
        ? 'there is no demonstration magazine; a tree of your own stays'
        : `the demonstration magazine is removed, ${nodes} texts`,
    )
    say(`${await removeDemonstrationDelegations(database)} demonstration delegations are removed`)
  })
}

function readWords(words: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        role: text,
        group: { type: 'string', multiple: true },
        'given-name': text,
        'family-name': text,
        locale: text,
        tenant: text,
        'password-stdin': { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new CommandProblem(error instanceof Error ? error.message : 'The command cannot be read')
  }
}

async function newPassword(fromInput: boolean): Promise<{ readonly value: string; readonly isMade: boolean }> {
  if (!fromInput) return { value: randomBytes(18).toString('base64url'), isMade: true }
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (value.length < shortestPassword)
    throw new CommandProblem(`The password on standard input must have at least ${shortestPassword} characters`)
  return { value, isMade: false }
}
