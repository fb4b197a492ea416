import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keyIdOf } from '../../../engines/image-vault/sealing.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { resolveKeys } from '../../process/keys/keys.ts'

/**
 * The keys without which a backup cannot be read, by name: those that are set, or those that the platform made for development. Each is told by its
 * id, the first half of its SHA-256; keys are random, so nobody finds one by it.
 */
export function keyIds(config: Config): Readonly<Record<string, string>> {
  const isMade = !config.production && config.database.urls === undefined && existsSync(join(config.dataDir, 'secrets.json'))
  const { vault, pseudonym, expression, deduplication } = isMade
    ? resolveKeys(config)
    : { vault: config.vaultKey, pseudonym: config.pseudonymKey, expression: config.expressionKey, deduplication: undefined }
  const faces = deduplication?.current ?? config.verification.deduplication.key
  return Object.fromEntries(
    Object.entries({ VAULT_KEY: vault, PSEUDONYM_KEY: pseudonym, EXPRESSION_KEY: expression, DEDUPLICATION_KEY: faces }).flatMap(
      ([name, key]) => (key === undefined ? [] : [[name, keyIdOf(key)]]),
    ),
  )
}
