import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that contains package.json, schema and node_modules. */
export const projectFolder: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** Folder for files that can be recreated and speed up the next start; npm packages use the same parent folder. */
export const cacheFolder: string = join(projectFolder, 'node_modules/.cache/civigraph')

export interface BuildInfo {
  readonly version: string
  /** revision of the build, or "unknown" */
  readonly commit: string
  /** number of the newest migration that this build knows; orders builds of one release */
  readonly schemaLevel: number
}

let build: BuildInfo | undefined

export function readBuildInfo(): BuildInfo {
  if (build === undefined) {
    const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { readonly version: string }
    build = { version, commit: readCommit() ?? 'unknown', schemaLevel: readSchemaLevel() }
  }
  return build
}

/** Returns 0 without migrations, as in the package civigraph-gateway. */
function readSchemaLevel(): number {
  const folder = join(projectFolder, 'schema/sql')
  return existsSync(folder) ? Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0)) : 0
}

/** Reads the file `commit` of an image, else the checkout. */
function readCommit(): string | undefined {
  const textOf = (path: string): string => readFileSync(path, 'utf8').trim()
  try {
    const stamp = join(projectFolder, 'commit')
    if (existsSync(stamp)) return textOf(stamp) || undefined
    const git = gitFolder(join(projectFolder, '.git'))
    const head = textOf(join(git, 'HEAD'))
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    if (ref === undefined) return head
    const shared = existsSync(join(git, 'commondir')) ? resolve(git, textOf(join(git, 'commondir'))) : git
    const loose = join(shared, ref)
    if (existsSync(loose)) return textOf(loose)
    const packed = textOf(join(shared, 'packed-refs')).split('\n')
    return packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, 40)
  } catch {
    return undefined
  }
}

/** In a linked worktree `.git` is a file that names the folder. */
const gitFolder = (path: string): string =>
  statSync(path).isDirectory()
    ? path
    : resolve(
        dirname(path),
        readFileSync(path, 'utf8')
          .replace(/^gitdir: /, '')
          .trim(),
      )

/** PostgreSQL truncates longer names. */
const maxNameLength = 63

/** Returns the name of a connection (application_name): release, commit and schema level of the build, and its purpose or the roles of the process. */
export const clientName = (purpose?: string): string => {
  const { version, commit, schemaLevel } = readBuildInfo()
  const words = ['civigraph', version, `${commit.slice(0, 8)}/${schemaLevel}`, ...(purpose === undefined ? [] : [purpose])]
  return words.join(' ').slice(0, maxNameLength)
}

/** Returns the release in the name of a connection; undefined for release 1.0, which did not send its own. */
export const releaseOfClient = (name: string): string | undefined => /^civigraph (\d+\.\d+\.\d+(?:-[\w.]+)?)(?= |$)/.exec(name)?.[1]

/** Returns the schema level in the name of a connection; undefined if its build did not send one. */
export const schemaLevelOfClient = (name: string): number | undefined => {
  const level = /^civigraph \S+ \w+\/(\d+)(?= |$)/.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** Orders releases by Semantic Versioning; 2.0.0-dev is older than 2.0.0, and pre-releases of one version are equal. */
export function compareReleases(one: string, other: string): number {
  const [a = [], b = []] = [one, other].map((release) => {
    const [numbers = '', preRelease] = release.split('-', 2)
    return [...numbers.split('.').map(Number), preRelease === undefined ? 1 : 0]
  })
  const differing = a.findIndex((part, index) => part !== b[index])
  return differing < 0 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0)
}

/** The five components of the platform. */
export const componentNames = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type ComponentName = (typeof componentNames)[number]

/**
 * Returns the URL of the module of a worker thread or child process, compiled or TypeScript like its importer.
 * @param name - without folder and extension
 * @param importer - `import.meta.url` of a module in the same folder
 */
export const workerModule = (name: string, importer: string): URL => new URL(`./${name}${extname(importer)}`, importer)
