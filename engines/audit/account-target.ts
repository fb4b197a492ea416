import { createHash } from 'node:crypto'

/** Returns the audit target of an account, existing or not: a digest, because the typed name may be anything. */
export const accountTarget = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`
