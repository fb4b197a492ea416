import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresImageVault } from '../../../engines/image-vault/postgres-image-vault.ts'
import { SealedFiles } from '../../../engines/image-vault/sealed-files.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { imageVaultContract } from './image-vault.contract.ts'

const fileOf = async (database: Database, jobId: string): Promise<string> => {
  const { rows } = await database.orm.execute<{ file: string }>(sql`select file from vault_record where job_id = ${jobId}`)
  return rows[0]?.file ?? ''
}

for (const engine of relationalEngines()) {
  imageVaultContract(engine.name, async () => {
    const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const [key, otherKey] = [randomBytes(32), randomBytes(32)]
    return {
      vault: postgresImageVault({ database, key }),
      withOtherKey: postgresImageVault({ database, key: otherKey }),
      rotated: postgresImageVault({ database, key: otherKey, previousKeys: [key] }),
      database,
      async sealed(jobId) {
        const { rows } = await database.orm.execute<{ sealed: Buffer }>(sql`select sealed from vault_record where job_id = ${jobId}`)
        return rows[0]?.sealed ?? Buffer.alloc(0)
      },
      async replace(jobId, sealed) {
        await database.orm.execute(sql`update vault_record set sealed = ${sealed} where job_id = ${jobId}`)
      },
      close: async () => dispose(),
    }
  })

  imageVaultContract(`${engine.name} with sealed files`, async () => {
    const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const folder = await mkdtemp(join(tmpdir(), 'vault-'))
    const files = new SealedFiles(folder)
    const [key, otherKey] = [randomBytes(32), randomBytes(32)]
    return {
      vault: postgresImageVault({ database, key, files }),
      withOtherKey: postgresImageVault({ database, key: otherKey, files }),
      rotated: postgresImageVault({ database, key: otherKey, previousKeys: [key], files }),
      database,
      sealed: async (jobId) => readFile(join(folder, await fileOf(database, jobId))),
      replace: async (jobId, sealed) => writeFile(join(folder, await fileOf(database, jobId)), sealed),
      async close() {
        await dispose()
        await rm(folder, { recursive: true })
      },
    }
  })
}

describe('sealed files', () => {
  const signal = (): AbortSignal => AbortSignal.timeout(60_000)
  const key = randomBytes(32)
  const [engine] = relationalEngines()
  let folder: string
  let opened: Awaited<ReturnType<typeof openMigrated>>
  beforeAll(async () => {
    if (engine === undefined) throw new Error('there is an embedded engine at least')
    opened = await openMigrated(engine)
    folder = join(await mkdtemp(join(tmpdir(), 'vault-')), 'made when needed')
  })
  afterAll(async () => {
    await opened[Symbol.asyncDispose]()
    await rm(join(folder, '..'), { recursive: true })
  })
  const vaultIn = (place: string) => postgresImageVault({ database: opened.database, key, files: new SealedFiles(place) })
  const seal = (jobId: string, place = folder) =>
    opened.database.transaction((tx) => vaultIn(place).seal(tx, [{ jobId, record: 'submission', content: [Buffer.from('a face')] }]))
  const names = () => readdir(folder).catch(() => [])

  it('are deleted after the erasing transaction commits, and remain after it rolls back', async () => {
    const jobId = randomUUID()
    await seal(jobId)
    const file = await fileOf(opened.database, jobId)
    expect(await names()).toContain(file)
    const failing = opened.database.transaction(async (tx) => {
      await vaultIn(folder).erase(tx, [jobId])
      throw new Error('the fence was lost')
    })
    await expect(failing).rejects.toThrow('the fence was lost')
    expect((await vaultIn(folder).open([jobId], 'submission', signal())).size).toBe(1)
    await opened.database.transaction((tx) => vaultIn(folder).erase(tx, [jobId]))
    await expect.poll(names).not.toContain(file)
    expect((await vaultIn(folder).open([jobId], 'submission', signal())).size).toBe(0)
  })

  it('of uncommitted transactions are removed by the sweep, and those of jobs and unrelated files remain', async () => {
    const jobId = randomUUID()
    await seal(jobId)
    const [stored, stray, young] = [await fileOf(opened.database, jobId), randomUUID(), randomUUID()]
    for (const name of [stray, young, 'notes.txt']) await writeFile(join(folder, name), 'x')
    const longAgo = new Date(Date.now() - 3_600_000)
    for (const name of [stored, stray, 'notes.txt']) await utimes(join(folder, name), longAgo, longAgo)
    expect(await vaultIn(folder).sweep(signal())).toBe(1)
    expect((await names()).sort()).toEqual([stored, young, 'notes.txt'].sort())
  })

  it('have their folder created again after it was removed', async () => {
    await rm(folder, { recursive: true, force: true })
    const jobIds = Array.from({ length: 10 }, () => randomUUID())
    await Promise.all(jobIds.map((jobId) => seal(jobId)))
    expect((await vaultIn(folder).open(jobIds, 'submission', signal())).size).toBe(10)
  })

  it('are refused when they cannot be written, and nothing is stored', async () => {
    const jobId = randomUUID()
    const file = join(folder, '..', 'a file')
    await writeFile(file, '')
    await expect(seal(jobId, join(file, 'vault'))).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    expect(await fileOf(opened.database, jobId)).toBe('')
  })

  it('that a process cannot read are a fault that names the job and the missing file', async () => {
    const jobId = randomUUID()
    await seal(jobId)
    const elsewhere = vaultIn(join(folder, 'elsewhere')).open([jobId], 'submission', signal())
    await expect(elsewhere).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(jobId) })
    const without = postgresImageVault({ database: opened.database, key }).open([jobId], 'submission', signal())
    await expect(without).rejects.toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining('VAULT_DIR') }) })
  })
})
