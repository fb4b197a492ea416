import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigProblems, parseConfig } from '../../../foundation/config/config.ts'

const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    parseConfig(env, '/')
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}
const inProduction = (env: Readonly<Record<string, string>>) => problemsOf({ NODE_ENV: 'production', ...env })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const keys = ['VAULT_KEY', 'PSEUDONYM_KEY', 'EXPRESSION_KEY', 'PRINCIPAL_SIGNING_KEY', 'DEDUPLICATION_KEY']
const guessable = {
  zeros: Buffer.alloc(32),
  'one byte again and again': Buffer.alloc(32, 171),
  'few different bytes': Buffer.from('abcabdabeabfabcaabcabdabeabfabca'),
  'ascending bytes': Uint8Array.from({ length: 32 }, (_, at) => at),
  'bytes that count down in steps': Uint8Array.from({ length: 32 }, (_, at) => 255 - 3 * at),
  'half a key, twice': Buffer.concat([Buffer.from('0123456789abcdef'), Buffer.from('0123456789abcdef')]),
}

describe('in production', () => {
  it.each(Object.entries(guessable))('a key of %s is refused with its name and without its value', (_, bytes) => {
    for (const name of keys) {
      const problems = inProduction({ [name]: base64(bytes) })
      expect(problems).toEqual([`${name} is guessable: use a random one (openssl rand -base64 32)`])
      expect(problems.join()).not.toContain(base64(bytes))
    }
    const problems = inProduction({ CALLBACK_SECRETS: `town:whsec_${base64(bytes)}` })
    expect(problems).toEqual([expect.stringMatching(/^CALLBACK_SECRETS \(town\) is guessable/)])
  })

  it('a thousand random keys are accepted', () => {
    for (let times = 0; times < 1000; times++) {
      const env = Object.fromEntries(keys.map((name) => [name, base64(randomBytes(32))]))
      expect(inProduction({ ...env, CALLBACK_SECRETS: `town:whsec_${base64(randomBytes(24))}` })).toEqual([])
    }
  })

  it('one key for two purposes, or one secret for two services, is refused with both names', () => {
    const key = base64(randomBytes(32))
    expect(inProduction({ VAULT_KEY: key, PSEUDONYM_KEY: key })).toEqual([
      'VAULT_KEY and PSEUDONYM_KEY hold the same key: use a different key for each purpose',
    ])
    expect(inProduction({ PSEUDONYM_KEY: key, EXPRESSION_KEY: key })).toEqual([
      'PSEUDONYM_KEY and EXPRESSION_KEY hold the same key: use a different key for each purpose',
    ])
    expect(inProduction({ VAULT_KEY: key, CALLBACK_SECRETS: `town:whsec_${key}` })).toEqual([
      expect.stringMatching(/^VAULT_KEY and CALLBACK_SECRETS \(town\) hold the same key/),
    ])
    expect(inProduction({ CALLBACK_SECRETS: `town:whsec_${key},other:whsec_${key}` })).toHaveLength(1)
  })

  it('a guessable previous key still decrypts', () => {
    expect(inProduction({ VAULT_KEY: base64(randomBytes(32)), VAULT_KEY_PREVIOUS: base64(Buffer.alloc(32)) })).toEqual([])
  })

  it.each(['', 'changeme', 'secret', 'test', 'example', 'password'])(
    'the hash of the API key %j is refused by the name of the key',
    (text) => {
      expect(inProduction({ VERIFICATION_API_KEYS: `town:${sha256(text)},other:${sha256(base64(randomBytes(32)))}` })).toEqual([
        expect.stringMatching(/^VERIFICATION_API_KEYS \(town\) is the hash of a guessable key/),
      ])
    },
  )

  it('a hash of zeros is refused', () => {
    expect(inProduction({ VERIFICATION_API_KEYS: `town:${'0'.repeat(64)}` })).toHaveLength(1)
  })

  it('no key from the documents or examples is accepted', () => {
    const files = globSync(['README.md', 'docs/**/*.{md,yaml,json}', 'deploy/**/*', 'demonstration/**/*.ts'], { withFileTypes: true })
    const texts = files.filter((file) => file.isFile()).map((file) => readFileSync(`${file.parentPath}/${file.name}`, 'utf8'))
    expect(texts.length).toBeGreaterThan(20)
    for (const text of texts) {
      for (const [key] of text.matchAll(/(?<![\w+/=-])[\w+/-]{43}=(?![\w=])/g))
        expect(inProduction({ VAULT_KEY: key }), key).not.toEqual([])
      for (const [secret] of text.matchAll(/whsec_[A-Za-z0-9+/]{32,88}={0,2}/g))
        expect(inProduction({ CALLBACK_SECRETS: `town:${secret}` }), secret).not.toEqual([])
      for (const [, hash] of text.matchAll(/VERIFICATION_API_KEYS[=:]\s*\S*?:([0-9a-f]{64})/g))
        expect(inProduction({ VERIFICATION_API_KEYS: `town:${hash}` }), hash).not.toEqual([])
    }
  })
})

it('test keys are accepted in development', () => {
  const key = base64(Buffer.alloc(32, 7))
  expect(problemsOf({ NODE_ENV: 'development', VAULT_KEY: key, PSEUDONYM_KEY: key })).toEqual([])
})

describe('base64', () => {
  const bytes = Buffer.alloc(32, 251)
  const text = bytes.toString('base64')

  it.each([text, text.slice(0, -1), bytes.toString('base64url')])('is accepted as %s', (encoded) => {
    expect(parseConfig({ VAULT_KEY: encoded }, '/').vaultKey).toEqual(bytes)
  })

  it.each([
    `${text}AAAA`,
    `${text}=`,
    `${text}!`,
    `${text} x`,
    `!${text}`,
    `${text.slice(0, 20)}\n${text.slice(20)}`,
    text.replace('+', '*'),
  ])('is refused where Buffer.from would skip or stop: %j', (encoded) => {
    expect(problemsOf({ VAULT_KEY: encoded })).toEqual([expect.stringMatching(/^VAULT_KEY must be 32 bytes in base64/)])
    expect(problemsOf({ DEDUPLICATION_KEY_PREVIOUS: encoded })).toHaveLength(1)
    expect(problemsOf({ CALLBACK_SECRETS: `town:whsec_${encoded}` })).toHaveLength(1)
  })

  it('is refused when its last digit has bits that belong to no byte', () => {
    expect(problemsOf({ VAULT_KEY: `${'A'.repeat(42)}B=` })).toHaveLength(1)
  })
})
