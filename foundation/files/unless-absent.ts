import { codeOf } from '../fault.ts'

/** Returns the result of reading a file or folder; undefined if it does not exist. */
export const unlessAbsent = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
