import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const npm = process.env.npm_execpath
const installLimitMs = 150_000

/** A folder with the tools for clients in a language; undefined when they cannot be installed, with a message. */
export async function workshop(name: string, furnish: (folder: string) => Promise<unknown>): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), `civigraph-${name.toLowerCase()}-`))
  try {
    await furnish(folder)
    return folder
  } catch (error) {
    process.stderr.write(`clients in ${name}: SKIPPED, their generator cannot be installed: ${String(error).split('\n')[0]}\n`)
    await rm(folder, { recursive: true, force: true })
    return undefined
  }
}

/** Installs packages from the registry into a new project. @param packages - as npm names them */
export function withPackages(...packages: readonly string[]): (folder: string) => Promise<unknown> {
  return async (folder) => {
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages]
    const options = { cwd: folder, timeout: installLimitMs }
    await (npm === undefined ? run('npm', install, options) : run(process.execPath, [npm, ...install], options))
  }
}
