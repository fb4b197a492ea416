import { spawnSync } from 'node:child_process'

/**
 * `npm run check`: every check of the sources by a tool. Runs all of them and prints the failed ones at the end. With `--without-tests`
 * it skips those that `npm test` runs, too.
 */
const node = (...words: string[]): [string, string[]] => [process.execPath, words]
const checks: Record<string, [string, string[]]> = {
  'generated client': node('packages/civigraph-client/generate/generate-client.ts'),
  types: node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'),
  'types in a browser': node('node_modules/typescript/bin/tsc', '-p', 'docs/clients/page/tsconfig.json', '--noEmit'),
  'types of the pages': node('node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.json', '--noEmit'),
  'lint and format': node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  'changelog, breaking changes of GraphQL and REST': node('test/support/run/breaking-changes.ts'),
  'conventions of the graph': node('test/support/run/graphql-conventions.ts'),
  'commit subjects': node('test/support/run/commit-subjects.ts'),
  'private words in prose': node('test/support/run/prose.ts'),
  'third-party notices': node('deploy/third-party-notices.ts', '--check'),
  'regular expressions that are not linear': node('test/support/run/linear-expressions.ts'),
  'unused code and dependencies': node('node_modules/knip/bin/knip.js'),
}
if (!process.argv.includes('--without-tests')) {
  const files = ['test/architecture.test.ts', 'test/schema-in-sync.test.ts']
  checks['architecture and schema drift'] = node('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...files)
}

const failed = Object.entries(checks).filter(([name, [command, words]]) => {
  process.stdout.write(`\n— ${name}\n`)
  return spawnSync(command, words, { stdio: 'inherit' }).status !== 0
})
process.stdout.write(failed.length === 0 ? '\nall checks passed\n' : `\nfailed: ${failed.map(([name]) => name).join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
