import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { newPassword } from '../../../engines/identity/password.ts'
import { type VaultKeys, vaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { type HeldKey, heldKey } from '../../../engines/relational/processes/held-key.ts'
import type { Config } from '../../../foundation/config/config.ts'
import type { ApiKey, CallbackSecrets } from '../../../foundation/config/settings/key-rules.ts'
import { serviceScopes } from '../../../foundation/principal.ts'
import type { DevelopmentAdministrators } from '../../../subgraphs/administration/index.ts'
import { createdOnce } from '../created-once.ts'
import { namesOf, type Roles } from '../roles.ts'

const Secrets = z.object({
  vault_key: z.base64(),
  principal_signing_key: z.base64(),
  pseudonym_key: z.base64(),
  expression_key: z.base64(),
  deduplication_key: z.base64(),
})
const Administrator = z.object({ email: z.string(), password: z.string() })
const Credentials = z.looseObject({
  verification_api_key: z.string(),
  verification_callback_secret: z.string(),
  super_admin: Administrator,
  group_admin: Administrator,
})

/** The keys of this process: configured, or generated once for development and stored in DATA_DIR. */
export interface Keys {
  readonly vault: Uint8Array
  readonly principalSigning: Uint8Array
  /** computes pseudonyms of citizens */
  readonly pseudonym: Uint8Array
  /** computes the ids of expressions that clients may send again */
  readonly expression: Uint8Array
  /** encrypts faces; undefined if DEDUPLICATION is off */
  readonly deduplication: VaultKeys | undefined
  /** accepted in tokens, never used for new ones */
  readonly previousPrincipalSigning: readonly Uint8Array[]
  /** ids of the keys that the platform's processes share, without those that this process only has as a random stand-in */
  readonly held: readonly HeldKey[]
  readonly apiKeys: readonly ApiKey[]
  /** secrets that sign callbacks, by name of the key */
  readonly callbackSecrets: readonly CallbackSecrets[]
  /** development key in clear, for printing; undefined if keys are configured */
  readonly developmentApiKey: string | undefined
  /** administrators to create in the embedded issuer; undefined if an operator creates them */
  readonly developmentAdministrators: DevelopmentAdministrators | undefined
  /** whether this start created the development key and accounts */
  readonly areCredentialsNew: boolean
}

/** components that store pseudonyms of people */
const pseudonymous: ReadonlySet<string> = new Set(['verification', 'administration', 'classification', 'exploration'])

/** Returns one sentence per missing required key. Keys are generated only for development on the embedded database. */
export function missingKeys(config: Config, roles: Roles): readonly string[] {
  const why = config.production ? 'in production' : 'with DATABASE_URL'
  const { deduplication } = config.verification
  const areGenerated = !config.production && config.database.urls === undefined
  const isSeparate = namesOf(roles).length > 0 && !roles.all
  return [
    ...(!areGenerated && config.vaultKey === undefined ? [`VAULT_KEY is not set; it is required ${why} (openssl rand -base64 32)`] : []),
    ...(!areGenerated && isSeparate && config.principalSigningKey === undefined
      ? [`PRINCIPAL_SIGNING_KEY is not set; processes of one platform share it, so it is required ${why} (openssl rand -base64 32)`]
      : []),
    ...(!areGenerated && config.pseudonymKey === undefined && roles.subgraphs.some((name) => pseudonymous.has(name))
      ? [`PSEUDONYM_KEY is not set; it is required ${why} and must never change (openssl rand -base64 32)`]
      : []),
    ...(!areGenerated && config.expressionKey === undefined && roles.subgraphs.includes('classification')
      ? [`EXPRESSION_KEY is not set; it is required ${why} and must never change (openssl rand -base64 32)`]
      : []),
    ...(!areGenerated &&
    deduplication.isOn &&
    deduplication.key === undefined &&
    [...roles.workers, ...roles.subgraphs].includes('verification')
      ? [`DEDUPLICATION_KEY is not set; DEDUPLICATION=on requires it ${why} (openssl rand -base64 32)`]
      : []),
  ]
}

export function resolveKeys(config: Config): Keys {
  const once = lazily(() => createdOnce(config.dataDir, secretsFile, Secrets, newSecrets))
  const people = lazily(() => credentials(config.dataDir))
  const fromFile = (name: keyof z.infer<typeof Secrets>): Uint8Array => Buffer.from(once().content[name], 'base64')
  /** roles that do not use a key that `missingKeys` requires get a random one */
  const madeHere = (name: keyof z.infer<typeof Secrets>): Uint8Array =>
    config.production || config.database.urls !== undefined ? randomBytes(32) : fromFile(name)
  const { deduplication } = config.verification
  const configured = config.verification.apiKeys ?? (config.production ? [] : undefined)
  const developmentApiKey = configured === undefined ? people().content.verification_api_key : undefined
  const ownPeople = !config.production && config.identity.issuerUrl === undefined
  const vault = config.vaultKey ?? fromFile('vault_key')
  const faces = deduplication.isOn ? vaultKeys(deduplication.key ?? fromFile('deduplication_key'), deduplication.previousKeys) : undefined
  return {
    vault,
    previousPrincipalSigning: config.previousPrincipalSigningKeys,
    held: heldKeys(config),
    principalSigning: config.principalSigningKey ?? madeHere('principal_signing_key'),
    pseudonym: config.pseudonymKey ?? madeHere('pseudonym_key'),
    expression: config.expressionKey ?? madeHere('expression_key'),
    deduplication: faces,
    apiKeys: configured ?? [{ name: 'development', sha256: sha256(developmentApiKey ?? ''), scopes: serviceScopes }],
    callbackSecrets:
      developmentApiKey === undefined
        ? config.verification.callbackSecrets
        : [developmentSecret(people().content), ...config.verification.callbackSecrets],
    developmentApiKey,
    developmentAdministrators: ownPeople ? administratorsOf(people().content) : undefined,
    areCredentialsNew: (developmentApiKey !== undefined || ownPeople) && people().isNew,
  }
}

/**
 * Returns the shared keys that this process has: configured ones, or those generated for development, without generating any. The keys that replace
 * unset ones at random are not shared.
 */
export function heldKeys(config: Config): readonly HeldKey[] {
  const { vaultKey, previousVaultKeys, principalSigningKey, previousPrincipalSigningKeys, pseudonymKey, expressionKey } = config
  const { deduplication } = config.verification
  const isMade = !config.production && config.database.urls === undefined && existsSync(join(config.dataDir, secretsFile))
  const made = isMade ? createdOnce(config.dataDir, secretsFile, Secrets, newSecrets).content : undefined
  const keys = [
    ['VAULT_KEY', vaultKey, made?.vault_key, previousVaultKeys],
    ['PRINCIPAL_SIGNING_KEY', principalSigningKey, made?.principal_signing_key, previousPrincipalSigningKeys],
    ['PSEUDONYM_KEY', pseudonymKey, made?.pseudonym_key, []],
    ['EXPRESSION_KEY', expressionKey, made?.expression_key, []],
    ...(deduplication.isOn
      ? [['DEDUPLICATION_KEY', deduplication.key, made?.deduplication_key, deduplication.previousKeys ?? []] as const]
      : []),
  ] as const
  return keys.flatMap(([name, configured, generated, previous]) => {
    const key = configured ?? (generated === undefined ? undefined : Buffer.from(generated, 'base64'))
    return key === undefined ? [] : [heldKey(name, key, previous)]
  })
}

const secretsFile = 'secrets.json'
const newSecrets = (): z.infer<typeof Secrets> => ({
  vault_key: randomBytes(32).toString('base64'),
  principal_signing_key: randomBytes(32).toString('base64'),
  pseudonym_key: randomBytes(32).toString('base64'),
  expression_key: randomBytes(32).toString('base64'),
  deduplication_key: randomBytes(32).toString('base64'),
})

const newCredentials = (): z.infer<typeof Credentials> => ({
  verification_api_key: `dev_${randomBytes(24).toString('base64url')}`,
  verification_callback_secret: `whsec_${randomBytes(32).toString('base64')}`,
  super_admin: { email: 'super.admin@civigraph.test', password: newPassword() },
  group_admin: { email: 'group.admin@civigraph.test', password: newPassword() },
})
const credentials = (dataDir: string) => createdOnce(dataDir, 'credentials.json', Credentials, newCredentials)

function developmentSecret({ verification_callback_secret }: z.infer<typeof Credentials>): CallbackSecrets {
  const secret = verification_callback_secret.replace(/^whsec_/, '')
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
