import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'

const folders = [
  'platform',
  'rest-adapters',
  'gateway',
  'web',
  'subgraphs',
  'engines',
  'foundation',
  'demonstration',
  'packages/civigraph-client/src',
  'schema/sql',
  'schema/cql',
]
const quietMs = 60

export interface SourceWatcher {
  close(): void
}

/** Calls `onChange` with changed sources as paths relative to the project folder, one call at a time; changes during a call are in the next one. */
export function watchSources(onChange: (changed: readonly string[]) => Promise<void>): SourceWatcher {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  const flush = async (): Promise<void> => {
    if (isBusy || changed.size === 0) return
    isBusy = true
    const files = [...changed]
    changed.clear()
    try {
      await onChange(files)
    } finally {
      isBusy = false
      void flush()
    }
  }
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(join(projectFolder, folder), { recursive: true }, (_, name) => {
      // editors write a copy next to the file and rename it
      if (name === null || /(?:^|\/)\.|~$|\.(?:swp|tmp)$|\/generated\//.test(name)) return
      changed.add(join(folder, name))
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), quietMs)
    }),
  )
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
