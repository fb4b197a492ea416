import { readdir, rm, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { messageOf } from '../../../foundation/fault.ts'
import { type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { isTenant } from '../../../foundation/validation/values.ts'
import { type TreeSnapshots, treeSnapshots } from '../tree-snapshot.ts'
import { openFallbackFile } from './fallback-file.ts'

const everyMs = 10_000
const extensions: ReadonlySet<string> = new Set(['.json', '.ndjson'])

/** Content that an operator provides for the time in which the content store is unavailable. */
export interface ContentFallback extends Pick<TreeSnapshots, 'latest' | 'versions'> {
  /** Reads the files when they change. */
  readonly upkeep: Part
  /** Returns a sentence for each file that is refused. */
  problems(): readonly string[]
}

/**
 * Reads CONTENT_FALLBACK: one file with the export of one tenant, or a folder with a file `<tenant>.json` or `<tenant>.ndjson` for each. Several
 * processes may share it: nothing is written there; each process converts it to snapshots in a folder of its own.
 * @param folder - for the converted snapshots
 */
export function contentFallback({
  path,
  folder,
  log,
}: {
  readonly path: string
  readonly folder: string
  readonly log: Log
}): ContentFallback {
  const snapshots = treeSnapshots(folder)
  /** by file: its state when it was read, and the tenant or the problem */
  const read = new Map<string, { readonly state: string; readonly tenant: string | undefined; readonly problem: string | undefined }>()
  const convert = async (file: string, named: string | undefined, signal: AbortSignal): Promise<void> => {
    const { ino, mtime, size } = await stat(file)
    const state = `${ino} ${mtime.getTime()} ${size}`
    if (read.get(file)?.state === state) return
    try {
      await using view = await openFallbackFile(file, { tenant: named, at: mtime }, signal)
      const { tenant } = view.version
      await snapshots.write(view, signal)
      read.set(file, { state, tenant, problem: undefined })
      log.info({ file, tenant, at: mtime }, 'the fallback of content was read')
    } catch (error) {
      if (signal.aborted) return
      const problem = `The content fallback ${file} is refused: ${messageOf(error)}`
      read.set(file, { state, tenant: undefined, problem })
      log.error({ file, reason: messageOf(error) }, 'the fallback of content is refused')
    }
  }
  const remove = async (tenant: string): Promise<void> => {
    for (const name of await readdir(folder).catch(() => []))
      if (name.startsWith(`${tenant}.`)) await rm(join(folder, name), { force: true })
  }
  const upkeep = periodic(
    'fallback of content',
    everyMs,
    async (signal) => {
      const files = await filesOf(path)
      for (const file of read.keys()) if (!files.some((each) => each.file === file)) read.delete(file)
      for (const { file, tenant } of files) if (!signal.aborted) await convert(file, tenant, signal)
      if (signal.aborted) return
      // of files that no longer exist or are refused, and of another setting
      const current = new Set([...read.values()].map(({ tenant }) => tenant))
      for (const { tenant } of await snapshots.versions()) if (!current.has(tenant)) await remove(tenant)
    },
    (error) => log.error({ path, reason: messageOf(error) }, 'CONTENT_FALLBACK cannot be read; retrying'),
  )
  return {
    upkeep,
    latest: (tenant) => snapshots.latest(tenant),
    versions: () => snapshots.versions(),
    problems: () => [...read.values()].flatMap(({ problem }) => problem ?? []),
  }
}

/** @returns files with the tenant of their name; undefined for a single file, whose records name it */
async function filesOf(path: string): Promise<readonly { readonly file: string; readonly tenant: string | undefined }[]> {
  if (!(await stat(path)).isDirectory()) return [{ file: path, tenant: undefined }]
  const names = (await readdir(path)).toSorted()
  return names.flatMap((name) => {
    const tenant = basename(name, extname(name))
    return extensions.has(extname(name)) && isTenant(tenant) ? [{ file: join(path, name), tenant }] : []
  })
}
