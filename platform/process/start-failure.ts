import { messageOf } from '../../foundation/fault.ts'

/** Returns the message of an unexpected start failure, with the next step if known. */
export function startFailure(error: unknown): string {
  const message = messageOf(error)
  return /\bENOSPC\b/.test(message)
    ? `A disk is full (${message}). Free space for DATA_DIR and temporary files, then start again.`
    : message
}
