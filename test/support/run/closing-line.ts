import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one plain line: `N passed, N failed, N skipped`. A file that could not be collected counts as a failure. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') count[state]++
      }
    }
    // after the other reporters have printed their summary
    process.once('exit', () => process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`))
  }
}
