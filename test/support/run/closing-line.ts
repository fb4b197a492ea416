import type { Reporter, TestModule } from 'vitest/node'
import { addTally, nameOf, type Tally, type TestFailure, tallyLine } from './tally.ts'

/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, and a line above it for each failure. A file that could not be collected
 * or a suite whose hook failed counts as a failure, and so does an error outside any test. If TEST_TALLY names a file, the numbers include the earlier runs in it.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const run = tallyOf(modules, unhandled)
    const file = process.env.TEST_TALLY
    const tally = file === undefined ? run : addTally(file, run)
    const lines = [...tally.failures.map((failure) => `failed: ${nameOf(failure)}: ${failure.message}`), tallyLine(tally)]
    // after the other reporters have printed their summary
    process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`))
  }
}

function tallyOf(modules: readonly TestModule[], unhandled: readonly { message: string }[]): Tally {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  const fail = (where: Omit<TestFailure, 'message'>, errors: readonly { message: string }[]): void => {
    counts.failed++
    failures.push({ ...where, message: firstLine(errors[0]?.message) })
  }
  if (unhandled.length > 0) fail({ project: '', file: 'outside any test' }, unhandled)
  for (const module of modules) {
    const where = { project: module.project.name, file: module.relativeModuleId }
    if (module.errors().length > 0) fail(where, module.errors())
    // a hook that failed skips the tests of its suite
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) fail({ ...where, test: suite.fullName }, suite.errors())
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'failed') fail({ ...where, test: test.fullName }, errors)
      else if (state !== 'pending') counts[state]++
    }
  }
  return { ...counts, failures }
}

function firstLine(message = ''): string {
  return message.split('\n', 1)[0]?.slice(0, 300) ?? ''
}
