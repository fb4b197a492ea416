import { createHmac } from 'node:crypto'
import { v5, v7 } from 'uuid'
import type { Principal } from '../../../foundation/principal.ts'
import { normalForm } from '../../../foundation/text/normal-form.ts'

const namespace = '6f1c7d0a-3b0e-5b7e-9c9f-0d6a4c1e8b52'

/** The sender of an expression. Each sender has a namespace of ids; all anonymous callers share one. */
export type Sender =
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'user'; readonly issuer: string; readonly subject: string }
  /** the import command */
  | { readonly kind: 'operator' }
  | { readonly kind: 'anonymous' }

export const operator: Sender = { kind: 'operator' }

/** Returns the sender of a request. A service key takes precedence over an access token. */
export function senderOf({ service, user }: Principal): Sender {
  if (service !== undefined) return { kind: 'service', name: service.name }
  if (user !== undefined) return { kind: 'user', issuer: user.issuer, subject: user.subject }
  return { kind: 'anonymous' }
}

/** Returns whether this sender may name authors: a user cannot speak for another, and an anonymous caller is unknown. */
export const vouchesForAuthors = ({ kind }: Sender): boolean => kind === 'service' || kind === 'operator'

/** Keys of 32 bytes each. */
export interface IdentityKeys {
  /** PSEUDONYM_KEY */
  readonly pseudonymKey: Uint8Array
  /** EXPRESSION_KEY */
  readonly expressionKey: Uint8Array
}

/** The identity of an expression. */
export interface ExpressionKey {
  readonly id: string
  /** id in releases before 2.0; null when it was random, or the sender must not learn it */
  readonly formerId: string | null
  /** whether the same expression gets the same id when it is sent again */
  readonly repeatable: boolean
}

/** Returns the pseudonym of an author, an HMAC in hex. */
export const authorOf = (authorRef: string, pseudonymKey: Uint8Array): string =>
  createHmac('sha256', pseudonymKey).update(`author\n${authorRef}`).digest('hex')

/** Version of `digestOfText`; a new one is needed whenever an equal text gets another digest. */
export const digestVersion = 1

/**
 * Returns an HMAC in hex that distinguishes the texts of one external id. @param text - NFC, before redaction, so that a new rule of redaction does
 * not make a repeated text another one
 */
export const digestOfText = (text: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(`text\n${text}`).digest().subarray(0, digestBytes).toString('hex')

/** 128 bits: the digest is keyed and compared within one id only */
const digestBytes = 16

export interface IdentifyingParts {
  readonly sender: Sender
  readonly source: string
  readonly externalId: string | null
  /** HMAC in hex */
  readonly author: string | null
  /** redacted */
  readonly text: string
  /** distinguishes lines of a file that have neither an external id nor an author */
  readonly occurrence?: string
}

/**
 * Returns the id of an expression within the namespace of its sender: by source and external id; else, of a known sender, by source, author
 * and text on one UTC day; else a random one, because two people may write the same.
 * @param key - EXPRESSION_KEY: without it an id cannot be computed from guessed parts
 */
export function expressionKey(parts: IdentifyingParts, receivedAt: Date, key: Uint8Array): ExpressionKey {
  const { sender } = parts
  const identity = identityOf(parts, receivedAt)
  if (identity === undefined) return { id: v7(), formerId: null, repeatable: false }
  const hmac = createHmac('sha256', key)
    .update(JSON.stringify([namespaceOf(sender), identity]))
    .digest('hex')
  // an author's former id reveals to any sender whether that author wrote this
  const mayKnowFormer = parts.externalId !== null || vouchesForAuthors(sender)
  return { id: v5(hmac, namespace), formerId: mayKnowFormer ? v5(JSON.stringify(identity), namespace) : null, repeatable: true }
}

/** Returns the parts that make two expressions of one sender equal; undefined when each one is distinct. */
function identityOf({ sender, source, externalId, author, text, occurrence }: IdentifyingParts, receivedAt: Date) {
  if (externalId !== null) return ['external', source, externalId]
  if (author === null) return occurrence === undefined ? undefined : ['occurrence', source, occurrence]
  if (sender.kind === 'anonymous') return undefined
  const normalised = normalForm(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ')
  return ['author', source, author, normalised, receivedAt.toISOString().slice(0, 10)]
}

function namespaceOf(sender: Sender): readonly string[] {
  switch (sender.kind) {
    case 'service':
      return ['service', sender.name]
    case 'user':
      return ['user', sender.issuer, sender.subject]
    default:
      return [sender.kind]
  }
}
