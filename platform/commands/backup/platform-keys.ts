import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keyIdOf } from '../../../engines/image-vault/sealing.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { resolveKeys } from '../../process/keys/keys.ts'

/**
 * Returns the ids of the keys without which a backup is unreadable, by name: configured ones, or generated for development. An id is the first half
 * of the SHA-256 of a random key and does not reveal it.
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
