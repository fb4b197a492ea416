import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { missingKeys } from '../../../platform/process/keys/keys.ts'
import { parseRoles, type Roles } from '../../../platform/process/roles.ts'
import { parseConfig } from '../../../subgraphs/foundation/config/config.ts'

const key = (): string => randomBytes(32).toString('base64')
const env = { NODE_ENV: 'production', VAULT_KEY: key(), PRINCIPAL_SIGNING_KEY: key(), PSEUDONYM_KEY: key() }

function missing(more: NodeJS.ProcessEnv, ...words: readonly string[]): readonly string[] {
  const roles = parseRoles(words)
  if ('problems' in roles) throw new Error(roles.problems.join())
  return missingKeys(parseConfig({ ...env, ...more }, '/'), roles satisfies Roles)
}

describe('the key of faces', () => {
  it('must be given to those that search faces or take decisions on them where they are kept, and to nobody else', () => {
    const sentence = expect.stringContaining('DEDUPLICATION_KEY is not set')
    expect(missing({ DEDUPLICATION: 'on' }, 'worker:verification')).toEqual([sentence])
    expect(missing({ DEDUPLICATION: 'on' }, 'all')).toEqual([sentence])
    expect(missing({ DEDUPLICATION: 'on', DEDUPLICATION_KEY: key() }, 'worker:verification')).toEqual([])
    expect(missing({ DEDUPLICATION: 'on' }, 'subgraph:verification')).toEqual([sentence])
    expect(missing({ DEDUPLICATION: 'on' }, 'rest:verification', 'gateway')).toEqual([])
    expect(missing({}, 'worker:verification')).toEqual([])
  })
})
