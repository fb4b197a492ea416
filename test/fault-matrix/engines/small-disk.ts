import { execFile } from 'node:child_process'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const piece = Buffer.alloc(256 * 1024)
const filler = 'filler'

/** A file system in memory that can be filled to the last byte and freed again. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string
  fill(): Promise<void>
  free(): Promise<void>
  /** Deletes its content. */
  clear(): Promise<void>
}

/** Mounts one on the folder, which needs root. @returns undefined without permission: then no disk can be filled */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  await mkdir(folder, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'civigraph-faults', folder])
  } catch {
    return undefined
  }
  return {
    folder,
    async fill() {
      const file = await open(join(folder, filler), 'w')
      try {
        for (let size = piece.length; size >= 1; )
          await file.write(piece, 0, size).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOSPC') throw error
            size = Math.floor(size / 4)
          })
      } finally {
        await file.close()
      }
    },
    free: () => rm(join(folder, filler), { force: true }),
    async clear() {
      await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true, force: true })))
    },
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', folder])
    },
  }
}
