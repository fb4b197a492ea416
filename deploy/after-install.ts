import { execFileSync } from 'node:child_process'
import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs after `npm install`. Removes from packages what they bring for other machines: one holds the library of onnxruntime for five
 * systems, another the headers to compile against Node.js, 290 MB together. In a clone it names the commit hook.
 */
const { platform, arch, env } = process
const project = join(import.meta.dirname, '..')
const packages = join(project, 'node_modules')
const unused = [
  ...globSync('onnxruntime-node/bin/napi-v*/*/*', { cwd: packages }).filter((path) => !path.endsWith(join(platform, arch))),
  ...globSync('node/node_modules/*/include', { cwd: packages }),
]
for (const path of unused) rmSync(join(packages, path), { recursive: true, force: true })

const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false'
if (!isCi && existsSync(join(project, '.git')) && !hasHooks())
  process.stdout.write('Contributors: "npm run hooks" checks commit messages before each commit.\n')

function hasHooks(): boolean {
  try {
    return execFileSync('git', ['config', 'core.hooksPath'], { cwd: project, encoding: 'utf8' }).trim() === '.githooks'
  } catch {
    return false
  }
}
