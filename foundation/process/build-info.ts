import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
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
  /** revision of the checkout, or "unknown" outside one */
  readonly commit: string
}

export function readBuildInfo(): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { readonly version: string }
  return { version, commit: readCommit() ?? 'unknown' }
}

function readCommit(): string | undefined {
  try {
    const git = join(projectFolder, '.git')
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim()
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    if (ref === undefined) return head
    const loose = join(git, ref)
    if (existsSync(loose)) return readFileSync(loose, 'utf8').trim()
    const packed = readFileSync(join(git, 'packed-refs'), 'utf8').split('\n')
    return packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, 40)
  } catch {
    return undefined
  }
}

/** Returns the name of a connection (application_name): its release and its purpose. Release 1.0 did not send its own. */
export const clientName = (purpose?: string): string =>
  ['civigraph', readBuildInfo().version, ...(purpose === undefined ? [] : [purpose])].join(' ')

/** Returns the release in the name of a connection; undefined for release 1.0. */
export const releaseOfClient = (name: string): string | undefined => /^civigraph (\d+\.\d+\.\d+(?:-[\w.]+)?)(?= |$)/.exec(name)?.[1]

/** The five components of the platform. */
export const componentNames = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type ComponentName = (typeof componentNames)[number]

/**
 * Returns the URL of the module of a worker thread or child process, compiled or TypeScript like its importer.
 * @param name - without folder and extension
 * @param importer - `import.meta.url` of a module in the same folder
 */
export const workerModule = (name: string, importer: string): URL => new URL(`./${name}${extname(importer)}`, importer)
