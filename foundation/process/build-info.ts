import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
