import { z } from 'zod'
import { listOf } from './setting-rules.ts'

export interface ApiKey {
  readonly name: string
  /** SHA-256 of the key, in hex */
  readonly sha256: string
  readonly scopes: readonly string[]
}

/** The secrets that sign the callbacks of a service, newest first. */
export interface CallbackSecrets {
  readonly name: string
  readonly secrets: readonly Uint8Array[]
}

/** Returns undefined for invalid base64, which `Buffer.from` would truncate or skip; accepts both alphabets, with or without padding. */
function bytesOf(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64')
  const padded = bytes.toString('base64')
  return [padded, padded.replace(/={1,2}$/, ''), bytes.toString('base64url')].includes(base64) ? bytes : undefined
}

const keyOf = (base64: string): Uint8Array | undefined => {
  const key = bytesOf(base64)
  return key?.length === 32 ? key : undefined
}

export const key32 = z
  .string()
  .transform((text, context) => {
    const key = keyOf(text)
    if (key !== undefined) return key
    context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 (openssl rand -base64 32)' })
    return z.NEVER
  })
  .describe('32 bytes in base64')

export const keyList = listOf(keyOf, 'must be keys of 32 bytes in base64, comma separated').describe('keys, comma separated')

export const apiKeys = listOf((item): ApiKey | undefined => {
  const [, name, sha256, scopes] = /^([\w.-]{1,64}):([0-9a-f]{64})(?::([a-z:+]+))?$/.exec(item) ?? []
  return name === undefined || sha256 === undefined ? undefined : { name, sha256, scopes: scopes?.split('+') ?? ['submit', 'results'] }
}, 'must be name:sha256hex[:scope+scope],…').describe('name:sha256hex[:scope+scope],…')

/** The secrets are joined by `+`, which also occurs in base64; `whsec_` cannot. */
export const callbackSecrets = listOf((item): CallbackSecrets | undefined => {
  const [, name, parts = ''] = /^([\w.-]{1,64}):(whsec_\S+)$/.exec(item) ?? []
  const all = parts.split(/\+(?=whsec_)/)
  const secrets = all.flatMap((part) => bytesOf(part.replace(/^whsec_/, '')) ?? [])
  const isComplete = secrets.length === all.length && secrets.length <= 2 && secrets.every(({ length }) => length >= 24 && length <= 64)
  return name === undefined || !isComplete ? undefined : { name, secrets }
}, 'must be name:whsec_base64[+whsec_base64],… with secrets of 24 to 64 bytes').describe('name:whsec_base64[+whsec_base64],…')
