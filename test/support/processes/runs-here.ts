import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether this machine has a program, and it ends well with these words. */
export const runsHere = (program: string, ...words: readonly string[]): Promise<boolean> =>
  promisify(execFile)(program, words).then(
    () => true,
    () => false,
  )
