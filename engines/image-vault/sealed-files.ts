import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GroupCommit } from '../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { unlessAbsent } from '../../foundation/files/data-file.ts'

/** time limit of one file or listing: a network file system may hang */
const limitMs = 10_000
const fileName = /^[0-9a-f-]{36}$/

/** Encrypted contents as files with random names in one shared folder. Every method throws EngineUnavailable when the file system fails. */
export class SealedFiles {
  readonly #folder: string
  // concurrent writers share one fsync of the folder
  readonly #syncs = new GroupCommit<string>({ maxWeight: Number.POSITIVE_INFINITY, write: () => syncFolder(this.#folder) })

  /** @param folder - absolute; created if missing, accessible to the owner only */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes each content, in parts, to its own file, and resolves when all are on disk; on failure none remains. @returns the names in order */
  async write(contents: readonly (readonly Uint8Array[])[]): Promise<readonly string[]> {
    const files = contents.map((parts) => ({ name: randomUUID(), parts }))
    try {
      await guarded(this.#writeAll(files))
    } catch (error) {
      // `sweep` deletes what cannot be deleted now
      await this.remove(files.map(({ name }) => name)).catch(() => undefined)
      throw error
    }
    return files.map(({ name }) => name)
  }

  async #writeAll(files: readonly { readonly name: string; readonly parts: readonly Uint8Array[] }[]): Promise<void> {
    await Promise.all(files.map(({ name, parts }) => this.#writeOne(join(this.#folder, name), parts)))
    await this.#syncs.add(files.map(({ name }) => name))
  }

  async #writeOne(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const isWritten = await unlessAbsent(writeSynced(path, parts).then(() => true))
    if (isWritten) return
    // the folder does not exist yet, or no longer
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeSynced(path, parts)
  }

  /** @returns undefined if the file does not exist */
  read(name: string): Promise<Uint8Array | undefined> {
    return guarded(unlessAbsent(readFile(join(this.#folder, name))))
  }

  /** Deletes files; ignores missing ones. */
  async remove(names: readonly string[]): Promise<void> {
    await guarded(Promise.all(names.map((name) => rm(join(this.#folder, name), { force: true }))))
  }

  /** Returns the names of files older than `ms`. */
  async olderThan(ms: number): Promise<readonly string[]> {
    const names = (await guarded(unlessAbsent(readdir(this.#folder)))) ?? []
    const old: string[] = []
    for (const name of names.filter((each) => fileName.test(each))) {
      const facts = await guarded(unlessAbsent(stat(join(this.#folder, name))))
      if (facts !== undefined && facts.mtimeMs < Date.now() - ms) old.push(name)
    }
    return old
  }
}

/** Syncs directory entries, which a power failure may lose like contents (fsync(2)). */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeSynced(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    const size = parts.reduce((sum, { length }) => sum + length, 0)
    const { bytesWritten } = await file.writev([...parts])
    if (bytesWritten !== size) throw new Error(`the file system of ${path} is full`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function guarded<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await withTimeout(work, limitMs, undefined, () => new Error(`the file system did not respond within ${limitMs} ms`))
  } catch (error) {
    throw new EngineUnavailable('image vault', error)
  }
}
