import { appendFileSync, readFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

interface Count {
  passed: number
  failed: number
  skipped: number
}

/**
 * Ends the run with one plain line: `N passed, N failed, N skipped`. A file that could not be collected counts as a failure. Where the
 * variable TEST_TALLY names a file, runs that follow one another count on, and the line is that of all of them so far.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count: Count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') count[state]++
      }
    }
    const { passed, failed, skipped } = countOn(count)
    // after the other reporters have printed their summary
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`))
  }
}

function countOn(count: Count): Count {
  const tally = process.env.TEST_TALLY
  if (tally === undefined) return count
  appendFileSync(tally, `${JSON.stringify(count)}\n`)
  const runs = readFileSync(tally, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Count)
  const sum = (state: keyof Count): number => runs.reduce((total, run) => total + run[state], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
