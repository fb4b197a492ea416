import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether a program is installed, and exits with 0 for these arguments. */
export const runsHere = (program: string, ...words: readonly string[]): Promise<boolean> =>
  promisify(execFile)(program, words).then(
    () => true,
    () => false,
  )
