import { randomBytes } from 'node:crypto'
import { createDatabase } from './databases.ts'
import { freshPrefix } from './elasticsearch.ts'
import { clearKeys } from './redis/clear-keys.ts'

/** Where the real engines of a platform are. */
export interface EngineAddresses {
  readonly postgres: string
  readonly redis: string
  /** undefined: the search index is an embedded one */
  readonly elasticsearch: string | undefined
}

/**
 * What a platform on real engines is given: keys, since it makes none there, and names of its own on servers that others use, too; what is
 * under them goes when this is disposed of.
 */
export async function openPlatformEngines({
  postgres,
  redis,
  elasticsearch,
}: EngineAddresses): Promise<AsyncDisposable & { readonly env: Readonly<Record<string, string>> }> {
  const { url, [Symbol.asyncDispose]: drop } = await createDatabase(postgres)
  const prefix = `journey-${randomBytes(6).toString('hex')}`
  const indices = elasticsearch === undefined ? undefined : freshPrefix(elasticsearch)
  const key = (): string => randomBytes(32).toString('base64')
  return {
    env: {
      DATABASE_URL: url,
      REDIS_URL: redis,
      REDIS_PREFIX: prefix,
      VAULT_KEY: key(),
      PRINCIPAL_SIGNING_KEY: key(),
      PSEUDONYM_KEY: key(),
      EXPRESSION_KEY: key(),
      ...(elasticsearch === undefined || indices === undefined
        ? {}
        : { ELASTICSEARCH_URL: elasticsearch, ELASTICSEARCH_PREFIX: indices.prefix }),
    },
    async [Symbol.asyncDispose]() {
      await clearKeys(redis, prefix)
      await indices?.clear()
      await drop()
    },
  }
}
