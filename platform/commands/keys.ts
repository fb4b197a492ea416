import type { AuditAction } from '../../engines/audit/audit-actions.ts'
import { type NewServiceKey, ServiceKeys } from '../../engines/identity/service-keys/service-keys.ts'
import { SigningKeys } from '../../engines/identity/signing-keys.ts'
import { postgresImageVault } from '../../engines/image-vault/postgres-image-vault.ts'
import type { Database, Queryable } from '../../engines/relational/database.ts'
import { isRotatable } from '../../engines/relational/processes/held-key.ts'
import { rfc3339, systemClock } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import { serviceScopes } from '../../foundation/principal.ts'
import { rewrapTemplates } from '../../subgraphs/verification/commands/rewrap-templates.ts'
import { type Keys, resolveKeys } from '../process/keys/keys.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withDatabase } from './database.ts'
import { issuerKeys, replaceIssuerKeys, rotateKey } from './rotate-key.ts'

const options = { scope: { type: 'string', multiple: true }, 'overlap-hours': { type: 'string' } } as const
const scopesThereAre: readonly string[] = serviceScopes
const rewrappedAtOnce = 500

/** `keys …`: manages service keys, with or without a running platform. */
export const manageKeys: Command = async (words, config, writeLine) => {
  const { values, positionals } = readWords(words, options)
  const [verb, name = ''] = positionals
  if (!['create', 'list', 'revoke', 'rotate', 'rewrap'].includes(verb ?? ''))
    throw new CommandProblem(`Unknown command: keys ${verb ?? ''}`)
  const named = verb === 'create' || verb === 'revoke' || verb === 'rotate'
  if (named && !/^[\w.-]{1,64}$/.test(name)) throw new CommandProblem('A name is missing: 1 to 64 letters, digits, _ . or -')
  const scopes = values.scope ?? ['submit', 'results']
  for (const scope of scopes) if (!scopesThereAre.includes(scope)) throw new CommandProblem(`Unknown scope: ${scope}`)
  const hours = Number(values['overlap-hours'] ?? '24')
  if (!Number.isInteger(hours) || hours < 0 || hours > 8760) throw new CommandProblem('--overlap-hours must be a whole number up to 8760')
  if (verb === 'create' && (isRotatable(name) || name === issuerKeys))
    throw new CommandProblem(`${name} names a key of the platform: choose another name`)
  if (named && config.verification.apiKeys?.some((key) => key.name === name))
    throw new Error(`${name} is a key in VERIFICATION_API_KEYS: change that setting instead`)

  const resolved = resolveKeys(config)
  const { vault: key } = resolved
  return withDatabase(config, async (database) => {
    const keys = new ServiceKeys(database, key, config.previousVaultKeys)
    const record = commandTrail(database)
    const noting = (action: AuditAction, details: Readonly<Record<string, unknown>>) => (tx: Queryable) =>
      record({ action, target: name, details }, tx)
    const rewrap = (): Promise<string> => rewrapAll(database, config, resolved)
    if (verb === 'rotate' && isRotatable(name)) {
      const held = resolved.held.find((each) => each.name === name)
      await record({ action: 'platform-key.rotate', target: name })
      return rotateKey(database, name, held, rewrap, writeLine)
    }
    if (verb === 'rotate' && name === issuerKeys)
      return replaceIssuerKeys(database, key, () => record({ action: 'platform-key.rotate', target: name }), writeLine)
    if (verb === 'create') print(await keys.create(name, scopes, noting('service-key.create', { scopes })), writeLine)
    else if (verb === 'rotate') {
      print(await keys.rotate(name, hours, noting('service-key.rotate', { overlapHours: hours })), writeLine)
      writeLine(`the key and the callback secret before these end in ${hours} h`)
    } else if (verb === 'revoke') {
      await keys.revoke(name, noting('service-key.revoke', {}))
      writeLine(`${name} is revoked; every process refuses it within 5 s`)
    } else if (verb === 'rewrap') {
      await record({ action: 'service-key.rewrap' })
      writeLine(await rewrap())
      writeLine('keep VAULT_KEY_PREVIOUS until all processes have used the new VAULT_KEY for 24 h: it recognises repeated submissions')
    } else {
      await record({ action: 'service-keys.read' })
      for (const { name: each, scopes: its, createdAt, endsAt } of await keys.list())
        writeLine([each, its.join('+'), `since ${rfc3339(createdAt)}`, endsAt === null ? 'no end' : `until ${rfc3339(endsAt)}`].join('\t'))
    }
    return 0
  })
}

/** Re-encrypts everything that earlier keys sealed with the current ones. @returns what was done, one sentence */
async function rewrapAll(database: Database, config: Config, { vault: key, deduplication }: Keys): Promise<string> {
  const { previousVaultKeys: previousKeys } = config
  const vault = postgresImageVault({ database, key, previousKeys })
  const records = await inParts((some) => vault.rewrap(some))
  const secrets = await new ServiceKeys(database, key, previousKeys).rewrap()
  const signing = await new SigningKeys(database, key, systemClock, previousKeys).rewrap()
  const faces = deduplication === undefined ? 0 : await inParts((some) => rewrapTemplates(database, deduplication, some))
  return `re-encrypted: ${records} records of jobs, ${secrets} callback secrets, ${signing} signing keys of the issuer, ${faces} faces`
}

/**
 * @param rewrap - processes at most `some` records; returns the number processed
 * @returns the total
 */
async function inParts(rewrap: (some: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let some = rewrappedAtOnce; some === rewrappedAtOnce; all += some) some = await rewrap(rewrappedAtOnce)
  return all
}

function print({ name, scopes, key, callbackSecret }: NewServiceKey, writeLine: WriteLine): void {
  writeLine(`${name} (${scopes.join(', ')}), shown only once:`)
  writeLine(`X-Service-API-Key: ${key}`)
  writeLine(`callback secret:   ${callbackSecret}`)
}
