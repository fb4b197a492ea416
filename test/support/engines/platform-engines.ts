import { randomBytes } from 'node:crypto'
import { createDatabase } from './databases.ts'
import { freshPrefix } from './elasticsearch.ts'
import { clearKeys } from './redis/clear-keys.ts'

/** Addresses of a platform's real engines. */
export interface EngineAddresses {
  readonly postgres: string
  readonly redis: string
  /** undefined: the search index is embedded */
  readonly elasticsearch: string | undefined
}

/**
 * Settings of a platform on real engines: keys, which it does not generate there, and unique names on shared servers; their
 * content is removed on disposal.
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
