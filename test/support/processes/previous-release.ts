import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Release {
  readonly commit: string
  readonly release: string
  /** Its main file, once compiled. */
  readonly main: string
  /** Files that its pages take from packages that this release no longer has: tests do not open these pages. */
  readonly removed: readonly string[]
}

const project = new URL('../../../', import.meta.url).pathname

export const previousRelease = async (): Promise<Release> =>
  JSON.parse(await readFile(join(project, 'test/faults/previous-release.json'), 'utf8')) as Release

/** Whether this clone contains the commit: a shallow one does not. */
export function isInClone({ commit }: Release): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: project, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Compiles it in a temporary folder, with the installed packages, and stubs for the removed files. @returns the path of its main file, removed on disposal */
export async function buildRelease({ commit, main, removed }: Release): Promise<AsyncDisposable & { readonly main: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-release-'))
  const files = execFileSync('git', ['archive', commit], { cwd: project, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: files })
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: folder,
    stdio: 'inherit',
  })
  for (const file of removed) {
    // closer to the compiled files than the installed packages
    const place = join(folder, 'dist/node_modules', file)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, '{}')
  }
  return { main: join(folder, main), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
