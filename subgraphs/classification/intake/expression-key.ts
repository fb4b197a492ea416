import { createHash, createHmac } from 'node:crypto'
import { v5, v7 } from 'uuid'

const namespace = '6f1c7d0a-3b0e-5b7e-9c9f-0d6a4c1e8b52'

/** What identifies an expression. */
export interface ExpressionKey {
  readonly id: string
  /** whether the same expression, sent again, gets the same id */
  readonly repeatable: boolean
}

export const authorOf = (authorRef: string, pseudonymKey: Uint8Array): string =>
  createHmac('sha256', pseudonymKey).update(`author\n${authorRef}`).digest('hex')

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * By source and external id; else by source, author and text on one day (UTC); with neither an id of its own: two people may write the same.
 * @param author - HMAC in hex   @param text - redacted
 */
export function expressionKey(
  parts: {
    readonly source: string
    readonly externalId: string | null
    readonly author: string | null
    readonly text: string
    readonly occurrence?: string
  },
  receivedAt: Date,
): ExpressionKey {
  const { source, externalId, author, text, occurrence } = parts
  if (externalId !== null) return { id: v5(JSON.stringify(['external', source, externalId]), namespace), repeatable: true }
  if (author === null && occurrence !== undefined)
    return { id: v5(JSON.stringify(['occurrence', source, occurrence]), namespace), repeatable: true }
  if (author === null) return { id: v7(), repeatable: false }
  const normalised = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
  return {
    id: v5(JSON.stringify(['author', source, author, normalised, receivedAt.toISOString().slice(0, 10)]), namespace),
    repeatable: true,
  }
}
