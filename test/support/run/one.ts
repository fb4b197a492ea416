import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative } from 'node:path'

/** `npm run test:one -- FILE [NAME]`: runs one test file, or those of its tests whose name contains NAME, with source maps on. */
const [file, ...name] = process.argv.slice(2)
const path = file === undefined ? '' : relative(process.cwd(), file)
const problem =
  file === undefined
    ? 'name a test file: npm run test:one -- test/unit/foundation/health.test.ts [part of a test name]'
    : !/^test\/.*\.test\.ts$/.test(path)
      ? `${file} is no test file: those are test/**/*.test.ts`
      : existsSync(path)
        ? undefined
        : `${file} does not exist`
if (problem === undefined) {
  const pattern = name.length === 0 ? [] : ['--testNamePattern', name.join(' ').replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')]
  process.exitCode =
    spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', path, ...pattern], { stdio: 'inherit' }).status ?? 1
} else {
  process.stderr.write(`test:one: ${problem}\n`)
  process.exitCode = 2
}
