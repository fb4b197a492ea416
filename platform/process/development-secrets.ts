import { createHash, randomBytes } from 'node:crypto'
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { DevelopmentAdministrators } from '../../subgraphs/administration/index.ts'
import type { ApiKey, CallbackSecrets, Config } from '../../subgraphs/foundation/config/config.ts'
import { namesOf, type Roles } from './roles.ts'

const Secrets = z.object({ vault_key: z.base64(), principal_signing_key: z.base64(), pseudonym_key: z.base64() })
const Administrator = z.object({ email: z.string(), password: z.string() })
const Credentials = z.looseObject({
  verification_api_key: z.string(),
  verification_callback_secret: z.string(),
  super_admin: Administrator,
  group_admin: Administrator,
})

/** Every scope there is: the development key may do everything that a key can do. */
const everyScope = ['submit', 'results', 'results:all', 'votes:write', 'admin']

/** The keys that this process works with: given, or made once for development and kept in DATA_DIR. */
export interface Keys {
  readonly vault: Uint8Array
  readonly principalSigning: Uint8Array
  /** what citizens are named by where their own name must not be known */
  readonly pseudonym: Uint8Array
  readonly apiKeys: readonly ApiKey[]
  /** what callbacks are signed with, by name of the key */
  readonly callbackSecrets: readonly CallbackSecrets[]
  /** the development key in clear, to print; undefined where keys are given */
  readonly developmentApiKey: string | undefined
  /** administrators to make in the embedded issuer; undefined where an operator makes them */
  readonly developmentAdministrators: DevelopmentAdministrators | undefined
}

/** One sentence for each key that has to be given and is not. Keys are made only for development on the embedded database. */
export function missingKeys(config: Config, roles: Roles): readonly string[] {
  const why = config.production ? 'in production' : 'with DATABASE_URL'
  const made = !config.production && config.database.url === undefined
  const separate = namesOf(roles).length > 0 && !roles.all
  return [
    ...(!made && config.vaultKey === undefined ? [`VAULT_KEY is not set; it must be given ${why} (openssl rand -base64 32)`] : []),
    ...(!made && separate && config.principalSigningKey === undefined
      ? [`PRINCIPAL_SIGNING_KEY is not set; processes of one platform share it, so it must be given ${why} (openssl rand -base64 32)`]
      : []),
    ...(!made && config.pseudonymKey === undefined && roles.subgraphs.some((name) => name === 'classification' || name === 'exploration')
      ? [`PSEUDONYM_KEY is not set; it must be given ${why} and never changed (openssl rand -base64 32)`]
      : []),
  ]
}

export function resolveKeys(config: Config): Keys {
  const once = lazily(() =>
    keptOnce(config.dataDir, 'secrets.json', Secrets, () => ({
      vault_key: randomBytes(32).toString('base64'),
      principal_signing_key: randomBytes(32).toString('base64'),
      pseudonym_key: randomBytes(32).toString('base64'),
    })),
  )
  const fromFile = (name: keyof z.infer<typeof Secrets>): Uint8Array => Buffer.from(once()[name], 'base64')
  const given = config.verification.apiKeys ?? (config.production ? [] : undefined)
  const developmentApiKey = given === undefined ? credentials(config.dataDir).verification_api_key : undefined
  const ownPeople = !config.production && config.identity.issuerUrl === undefined
  return {
    vault: config.vaultKey ?? fromFile('vault_key'),
    principalSigning:
      config.principalSigningKey ??
      (config.production || config.database.url !== undefined ? randomBytes(32) : fromFile('principal_signing_key')),
    pseudonym:
      config.pseudonymKey ?? (config.production || config.database.url !== undefined ? randomBytes(32) : fromFile('pseudonym_key')),
    apiKeys: given ?? [{ name: 'development', sha256: sha256(developmentApiKey ?? ''), scopes: everyScope }],
    callbackSecrets:
      developmentApiKey === undefined
        ? config.verification.callbackSecrets
        : [developmentSecret(config.dataDir), ...config.verification.callbackSecrets],
    developmentApiKey,
    developmentAdministrators: ownPeople ? administratorsOf(credentials(config.dataDir)) : undefined,
  }
}

const newPassword = (): string => randomBytes(18).toString('base64url')
const newCredentials = (): z.infer<typeof Credentials> => ({
  verification_api_key: `dev_${randomBytes(24).toString('base64url')}`,
  verification_callback_secret: `whsec_${randomBytes(32).toString('base64')}`,
  super_admin: { email: 'super.admin@civigraph.test', password: newPassword() },
  group_admin: { email: 'group.admin@civigraph.test', password: newPassword() },
})
const credentials = (dataDir: string) => keptOnce(dataDir, 'credentials.json', Credentials, newCredentials)

function developmentSecret(dataDir: string): CallbackSecrets {
  const secret = credentials(dataDir).verification_callback_secret.replace(/^whsec_/, '')
  return { name: 'development', secrets: [Buffer.from(secret, 'base64')] }
}

function administratorsOf({ super_admin, group_admin }: z.infer<typeof Credentials>): DevelopmentAdministrators {
  return { superAdmin: super_admin, groupAdmin: { ...group_admin, groups: ['default'] } }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * The content of a file that is made once, 0600. Processes that start at the same moment agree on one content: the link fails for all but
 * the first. Members that an older release did not write are added, and everything that is there stays.
 */
function keptOnce<Content extends object>(folder: string, name: string, schema: z.ZodType<Content>, make: () => Content): Content {
  const file = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mine = join(folder, `.${name}.${process.pid}.${randomBytes(4).toString('hex')}`)
  try {
    writeFileSync(mine, `${JSON.stringify(make(), null, 2)}\n`, { mode: 0o600 })
    linkSync(mine, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(mine, { force: true })
  }
  return isOlder(contentOf(file), make()) ? extended(file, schema, make) : parsedContent(file, schema)
}

/** Whether what is missing is whole members, not their content. */
function isOlder(kept: object, made: object): boolean {
  return Object.keys(made).some((member) => !Object.hasOwn(kept, member))
}

/** Adds the missing members. Of several processes the first adds them; the others find them there. */
function extended<Content extends object>(file: string, schema: z.ZodType<Content>, make: () => Content): Content {
  const lock = `${file}.lock`
  const mine = `${file}.${process.pid}`
  // A lock that stays for 2 s is of a process that died holding it.
  for (let tries = 0; tries < 100 && !locked(lock); tries++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  try {
    const kept = contentOf(file)
    const made = make()
    if (isOlder(kept, made)) {
      writeFileSync(mine, `${JSON.stringify({ ...made, ...kept }, null, 2)}\n`, { mode: 0o600 })
      renameSync(mine, file)
    }
  } finally {
    rmSync(lock, { force: true })
  }
  return parsedContent(file, schema)
}

function locked(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch {
    return false
  }
}

function contentOf(file: string): object {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof content === 'object' && content !== null ? content : {}
}

function parsedContent<Content>(file: string, schema: z.ZodType<Content>): Content {
  const parsed = schema.safeParse(contentOf(file))
  if (!parsed.success) throw new Error(`${file} is not what this release wrote; remove it to have new keys made`)
  return parsed.data
}
