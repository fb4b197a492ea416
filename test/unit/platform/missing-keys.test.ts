import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { keyIdOf } from '../../../foundation/key-id.ts'
import { heldKeys, missingKeys, resolveKeys } from '../../../platform/process/keys/keys.ts'
import { parseRoles, type Roles } from '../../../platform/process/roles.ts'

const key = (): string => randomBytes(32).toString('base64')
const env = { NODE_ENV: 'production', VAULT_KEY: key(), PRINCIPAL_SIGNING_KEY: key(), PSEUDONYM_KEY: key(), EXPRESSION_KEY: key() }

function missing(more: NodeJS.ProcessEnv, ...words: readonly string[]): readonly string[] {
  const roles = parseRoles(words)
  if ('problems' in roles) throw new Error(roles.problems.join())
  return missingKeys(parseConfig({ ...env, ...more }, '/'), roles satisfies Roles)
}

describe('the key for face templates', () => {
  it('is required by roles that search stored faces or decide on them, and by no other', () => {
    const sentence = expect.stringContaining('DEDUPLICATION_KEY is not set')
    expect(missing({ DEDUPLICATION: 'on' }, 'worker:verification')).toEqual([sentence])
    expect(missing({ DEDUPLICATION: 'on' }, 'all')).toEqual([sentence])
    expect(missing({ DEDUPLICATION: 'on', DEDUPLICATION_KEY: key() }, 'worker:verification')).toEqual([])
    expect(missing({ DEDUPLICATION: 'on' }, 'subgraph:verification')).toEqual([sentence])
    expect(missing({ DEDUPLICATION: 'on' }, 'rest:verification', 'gateway')).toEqual([])
    expect(missing({}, 'worker:verification')).toEqual([])
  })
})

describe('the key for expression ids', () => {
  it('is required by roles that compute expression ids, and by no other', () => {
    const sentence = expect.stringMatching(/^EXPRESSION_KEY is not set; it is required in production and must never change/)
    const without = { EXPRESSION_KEY: undefined }
    for (const roles of [['all'], ['subgraph:classification'], ['gateway', 'subgraph:classification']])
      expect(missing(without, ...roles), roles.join()).toEqual([sentence])
    for (const roles of [['worker:classification'], ['rest:classification', 'gateway'], ['subgraph:exploration'], ['worker:verification']])
      expect(missing(without, ...roles), roles.join()).toEqual([])
    expect(missing({}, 'all')).toEqual([])
  })

  it('is created once in development, beside the keys of an earlier release, and is part of a backup', () => {
    const folder = mkdtempSync(join(tmpdir(), 'civigraph-keys-'))
    const config = parseConfig({ DATA_DIR: folder }, '/')
    const names = ['vault_key', 'principal_signing_key', 'pseudonym_key', 'deduplication_key']
    const earlier = Object.fromEntries(names.map((name) => [name, key()]))
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify(earlier))
    const { expression, pseudonym } = resolveKeys(config)
    expect(expression).toHaveLength(32)
    expect(Buffer.from(pseudonym).toString('base64')).toBe(earlier.pseudonym_key)
    expect(resolveKeys(config).expression).toEqual(expression)
    expect(heldKeys(config)).toContainEqual({ name: 'EXPRESSION_KEY', currentId: keyIdOf(expression), previousIds: [] })
    rmSync(folder, { recursive: true })
  })
})
