import { codeOf } from '../fault.ts'

/** What is read of a file or folder; undefined where there is none. */
export const unlessAbsent = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
