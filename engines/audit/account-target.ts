import { createHash } from 'node:crypto'

/** An account in the audit trail, known or not: a digest, since what was typed may be anything. */
export const accountTarget = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`
