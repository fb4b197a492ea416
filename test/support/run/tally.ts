import { appendFileSync, readFileSync } from 'node:fs'

/** A failed test, or a file that could not be collected. */
export interface TestFailure {
  readonly project: string
  readonly file: string
  /** full name of the test; undefined for a whole file */
  readonly test?: string
  /** first line of the error */
  readonly message: string
}

/** The result of one test run. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly TestFailure[]
}

/** Adds the result of a run to a file of tallies, and returns the sum of all runs in it. */
export function addTally(file: string, tally: Tally): Tally {
  appendFileSync(file, `${JSON.stringify(tally)}\n`)
  return readTally(file)
}

/** Returns the sum of all runs in a file of tallies. */
export function readTally(file: string): Tally {
  const runs = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Tally)
  const sum = (state: 'passed' | 'failed' | 'skipped'): number => runs.reduce((total, run) => total + run[state], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), failures: runs.flatMap(({ failures }) => failures) }
}

/** The closing line that every test run and the gate end with. */
export const tallyLine = ({ passed, failed, skipped }: Tally): string => `${passed} passed, ${failed} failed, ${skipped} skipped`

export const nameOf = ({ file, test }: TestFailure): string => (test === undefined ? file : `${file} > ${test}`)
