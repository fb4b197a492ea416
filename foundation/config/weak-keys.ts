import { createHash } from 'node:crypto'
import type { ApiKey, CallbackSecrets } from './settings/key-rules.ts'

/** Keys that serve one purpose, by the variable that holds them. */
interface PurposeKeys {
  readonly variable: string
  readonly keys: readonly Uint8Array[]
}

/** Random keys of 24 bytes or more practically always contain more distinct bytes. */
const minDifferent = 12
/** Secrets that other projects publish as examples, in base64. */
const printedSecrets = new Set(['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLKSw', 'plJ3nmyCDGBKInavdOK15jsl', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD'])
/** Common placeholders of API keys. */
const placeholders = ['', 'admin', 'api-key', 'apikey', 'changeme', 'change-me', 'demo', 'dev', 'development', 'example', 'key', 'my-key']
const printedHashes = new Set(
  [...placeholders, 'password', 'placeholder', 'secret', 'test', 'test-key', 'token', 'your-api-key', 'your-key'].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  ),
)

/**
 * Returns problems of guessable keys by variable name, never with the key: few distinct bytes, bytes in equal steps, a repeated part, published
 * examples, or one key for two purposes.
 */
export function weakKeys(purposes: readonly PurposeKeys[]): readonly string[] {
  const guessable = purposes.flatMap(({ variable, keys }) => (keys.some(isGuessable) ? [`${variable} is guessable: ${remedy}`] : []))
  const shared = purposes.flatMap((one, index) =>
    purposes
      .slice(index + 1)
      .filter((other) => other.keys.some((key) => one.keys.some((same) => Buffer.from(key).equals(same))))
      .map((other) => `${one.variable} and ${other.variable} hold the same key: use a different key for each purpose`),
  )
  return [...new Set([...guessable, ...shared])]
}

const remedy = 'use a random one (openssl rand -base64 32)'

/** Returns the callback secrets as purposes, of which no two services may share one. */
export const callbackPurposes = (secrets: readonly CallbackSecrets[]): readonly PurposeKeys[] =>
  secrets.map(({ name, secrets: keys }) => ({ variable: `CALLBACK_SECRETS (${name})`, keys }))

/** Returns problems of hashes of API keys: not a hash, or the hash of a guessable key. */
export function weakApiKeys(keys: readonly ApiKey[]): readonly string[] {
  return keys
    .filter(({ sha256 }) => printedHashes.has(sha256) || isGuessable(Buffer.from(sha256, 'hex')))
    .map(({ name }) => `VERIFICATION_API_KEYS (${name}) is the hash of a guessable key: create one with "npm run civigraph -- keys create"`)
}

function isGuessable(key: Uint8Array): boolean {
  const step = ((key[1] ?? 0) - (key[0] ?? 0) + 256) % 256
  const hasEqualSteps = key.every((byte, at) => at === 0 || (byte - (key[at - 1] ?? 0) + 256) % 256 === step)
  const isRepeated = [1, 2, 4, 8, 16].some(
    (period) => period < key.length && key.every((byte, at) => at < period || byte === key[at - period]),
  )
  return new Set(key).size < minDifferent || hasEqualSteps || isRepeated || printedSecrets.has(Buffer.from(key).toString('base64'))
}
