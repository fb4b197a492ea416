import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { codeOf } from '../../../foundation/fault.ts'
import { unlessAbsent } from '../../../foundation/files/data-file.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { type BackupManifest, sealedFolder } from './backup-folder.ts'

type SealedFile = NonNullable<BackupManifest['sealedFiles']>[number]

/** Returns the names of encrypted files in VAULT_DIR that the tables refer to, in the transaction of the connection. */
export async function sealedFilesOf(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ file: string }>('select file from vault_record where file is not null order by file')
  return rows.map(({ file }) => file)
}

/** Copies encrypted files unchanged. Missing ones were erased after the tables were read and are skipped. */
export async function copySealedFiles(vault: string, folder: string, names: readonly string[], signal: AbortSignal): Promise<SealedFile[]> {
  await mkdir(join(folder, sealedFolder), { mode: 0o700 })
  const copied: SealedFile[] = []
  for (const name of names) {
    signal.throwIfAborted()
    const bytes = await unlessAbsent(readFile(join(vault, name), { signal }))
    if (bytes === undefined) continue
    await written(join(folder, sealedFolder, name), bytes)
    copied.push({ name, sha256: sha256(bytes) })
  }
  return copied
}

/** @throws {Error} one sentence, if VAULT_DIR contains encrypted files; other entries, such as lost+found, are allowed */
export async function refuseFilledVault(vault: string): Promise<void> {
  const names = await unlessAbsent(readdir(vault))
  const existingName = names?.find(isUuid)
  if (existingName !== undefined)
    throw new Error(`VAULT_DIR is not empty (${join(vault, existingName)}): restore into an empty folder; nothing was changed`)
}

/**
 * Copies encrypted files to VAULT_DIR. @returns a function that removes them if the restore fails later
 * @throws {Error} one sentence, if a file is damaged or missing or the disk is full; all are removed then
 */
export async function restoreSealedFiles(
  vault: string,
  folder: string,
  files: readonly SealedFile[],
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  await mkdir(vault, { recursive: true, mode: 0o700 })
  const put: string[] = []
  const removeCopies = async (): Promise<void> => {
    for (const path of put) await rm(path, { force: true })
  }
  try {
    for (const { name, sha256: expected } of files) {
      signal.throwIfAborted()
      const bytes = await unlessAbsent(readFile(join(folder, sealedFolder, name), { signal }))
      if (bytes === undefined || sha256(bytes) !== expected)
        throw new Error(`${join(folder, sealedFolder, name)} is corrupt or missing: use another backup`)
      put.push(join(vault, name))
      await written(join(vault, name), bytes)
    }
  } catch (error) {
    await removeCopies()
    throw codeOf(error) === 'ENOSPC' ? new Error(`The disk of ${vault} is full: nothing was restored`) : error
  }
  return removeCopies
}

async function written(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.datasync()
  } finally {
    await file.close()
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
