import { appendFileSync, readFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** What a run ended with, and where it failed: a line for every failed test or file. */
interface Tally {
  passed: number
  failed: number
  skipped: number
  failures: string[]
}

/**
 * Ends the run with one plain line: `N passed, N failed, N skipped`. A file that could not be collected counts as a failure, and so does what no test
 * caught. Above it stands
 * what failed and with which message, so that the end of a log is enough. Where the variable TEST_TALLY names a file, runs that follow one
 * another count on, and the end is that of all of them so far.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const { passed, failed, skipped, failures } = countOn(tallyOf(modules, unhandled))
    const lines = [...failures.map((failure) => `failed: ${failure}`), `${passed} passed, ${failed} failed, ${skipped} skipped`]
    // after the other reporters have printed their summary
    process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`))
  }
}

function tallyOf(modules: readonly TestModule[], unhandled: readonly { message: string }[]): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] }
  const fail = (where: string, errors: readonly { message: string }[]): void => {
    tally.failed++
    tally.failures.push(`${where}: ${firstLine(errors[0]?.message)}`)
  }
  if (unhandled.length > 0) fail('outside any test', unhandled)
  for (const module of modules) {
    if (module.errors().length > 0) fail(module.relativeModuleId, module.errors())
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'failed') fail(`${module.relativeModuleId} > ${test.fullName}`, errors)
      else if (state !== 'pending') tally[state]++
    }
  }
  return tally
}

function firstLine(message = ''): string {
  return message.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

function countOn(tally: Tally): Tally {
  const file = process.env.TEST_TALLY
  if (file === undefined) return tally
  appendFileSync(file, `${JSON.stringify(tally)}\n`)
  const runs = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Tally)
  const sum = (state: 'passed' | 'failed' | 'skipped'): number => runs.reduce((total, run) => total + run[state], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), failures: runs.flatMap(({ failures }) => failures) }
}
