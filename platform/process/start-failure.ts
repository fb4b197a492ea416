import { messageOf } from '../../foundation/fault.ts'

/** What the program prints when it ends with something that was not foreseen, with the next step where there is one. */
export function startFailure(error: unknown): string {
  const message = messageOf(error)
  return /\bENOSPC\b/.test(message)
    ? `No space is left on a disk (${message}). Free some where DATA_DIR and the temporary files are, and start again.`
    : message
}
