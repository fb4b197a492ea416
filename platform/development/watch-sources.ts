import { relative } from 'node:path'
import { watch } from 'chokidar'
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
  'packages/civigraph-client/operations',
  'schema/sql',
  'schema/cql',
]
const quietMs = 60

export interface SourceWatcher {
  close(): Promise<void>
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
  const watcher = watch(folders, {
    cwd: projectFolder,
    ignoreInitial: true,
    // copies that editors keep beside a file, and generated code
    ignored: (path) => /(?:^|\/)\.[^./]|~$|\.(?:swp|tmp)$|\/generated(?:\/|$)/.test(relative(projectFolder, path)),
  }).on('all', (_, path) => {
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), quietMs)
  })
  return {
    async close() {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}
