import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refuseFilledVault, restoreSealedFiles } from '../../../platform/commands/backup/sealed-copies.ts'
import { mountSmallDisk } from '../../fault-matrix/engines/small-disk.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'civigraph-sealed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A backup of two sealed files of 700 kB each. */
async function backup() {
  await mkdir(join(folder, 'sealed'))
  const files = [randomUUID(), randomUUID()].map((name) => ({ name, bytes: randomBytes(700_000) }))
  for (const { name, bytes } of files) await writeFile(join(folder, 'sealed', name), bytes)
  return files.map(({ name, bytes }) => ({ name, sha256: createHash('sha256').update(bytes).digest('hex') }))
}
const restored = async (vault: string) => restoreSealedFiles(vault, folder, await backup(), AbortSignal.timeout(60_000))

describe('restored sealed files', () => {
  it('are complete, and can be removed again', async () => {
    const vault = join(folder, 'vault')
    const takeAway = await restored(vault)
    expect(await readdir(vault)).toHaveLength(2)
    await takeAway()
    expect(await readdir(vault)).toEqual([])
  })

  it('are refused only for a folder that has sealed files', async () => {
    const vault = join(folder, 'vault')
    await refuseFilledVault(vault)
    await mkdir(join(vault, 'lost+found'), { recursive: true })
    await refuseFilledVault(vault)
    await restored(vault)
    await expect(refuseFilledVault(vault)).rejects.toThrow(/^VAULT_DIR is not empty \(/)
  })

  it('leave no partial files on a full disk', async ({ skip }) => {
    const disk = await mountSmallDisk(join(folder, 'disk'), 1)
    if (disk === undefined) return skip('needs the right to mount')
    await using open = new AsyncDisposableStack()
    open.use(disk)
    await expect(restored(disk.folder)).rejects.toThrow(`The disk of ${disk.folder} is full: nothing was restored`)
    expect(await readdir(disk.folder)).toEqual([])
  })
})
