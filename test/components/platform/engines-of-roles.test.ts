import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { silentLog } from '../../../foundation/log.ts'
import { buildComponents } from '../../../platform/components/components.ts'
import { openSharedEngines } from '../../../platform/engines/shared-engines.ts'
import { parseRoles } from '../../../platform/process/roles.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const onRealEngines = parseConfig(
  {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    ELASTICSEARCH_URL: 'http://127.0.0.1:1',
    CASSANDRA_CONTACT_POINTS: '127.0.0.1:1',
    VAULT_KEY: key,
    PSEUDONYM_KEY: key,
    EXPRESSION_KEY: key,
  },
  '/',
)

describe('a role opens', () => {
  it.each([
    ['subgraph:verification', 'database, job queue verification, event feed'],
    ['worker:verification', 'database, job queue verification, event feed'],
    ['subgraph:exploration', 'database, event feed, key-value store, search index'],
    ['worker:exploration', 'database, event feed'],
    ['subgraph:classification', 'database, event feed, key-value store, search index'],
    ['worker:classification', 'database, event feed, key-value store, search index'],
    ['subgraph:administration', 'database, key-value store, backlog delegations'],
    ['subgraph:content', 'database, content store'],
    ['subgraph:classification worker:classification', 'database, event feed, key-value store, search index'],
    ['gateway rest:content', ''],
  ])('as %s: %s', async (words, opened) => {
    const roles = parseRoles(words.split(' '))
    if ('problems' in roles) throw new Error(roles.problems.join(' '))
    const engines = await openSharedEngines(onRealEngines, new Uint8Array(32), false, silentLog)
    const built = await buildComponents(roles, {
      engines,
      config: onRealEngines,
      build: { version: '1.0.0', commit: 'test', schemaLevel: 1 },
      log: silentLog,
    })
    expect(built.engines.map(({ name }) => name).join(', ')).toBe(opened)
  })
})
