import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'

export interface VaultUnderTest {
  readonly vault: ImageVault
  /** the same records with another key */
  readonly withOtherKey: ImageVault
  /** the same records with another key, and the first as a previous one */
  readonly rotated: ImageVault
  readonly database: Database
  /** returns the stored bytes of the content */
  readonly sealed: (jobId: string) => Promise<Buffer>
  /** replaces the stored bytes */
  readonly replace: (jobId: string, sealed: Buffer) => Promise<void>
  readonly close: () => Promise<void>
}

export function imageVaultContract(name: string, openVault: () => Promise<VaultUnderTest>): void {
  describe(`image vault: ${name}`, () => {
    const signal = (): AbortSignal => AbortSignal.timeout(60_000)
    const content = Buffer.from(`a face ${randomUUID()}`)
    let subject: VaultUnderTest
    beforeAll(async () => {
      subject = await openVault()
    })
    afterAll(() => subject.close())

    const sealed = async (...jobIds: string[]): Promise<void> => {
      const { database, vault } = subject
      await database.transaction((tx) =>
        vault.seal(
          tx,
          jobIds.map((jobId) => ({ jobId, record: 'submission', content: [content] })),
        ),
      )
    }
    const opened = async (jobId: string, record: 'submission' | 'result' = 'submission') =>
      (await subject.vault.open([jobId], record, signal())).get(jobId)

    it('opens existing records byte for byte', async () => {
      const { database, vault } = subject
      const [large, empty, absent] = [randomUUID(), randomUUID(), randomUUID()]
      const image = randomBytes(3_000_000)
      await database.transaction((tx) =>
        vault.seal(tx, [
          { jobId: large, record: 'submission', content: [image.subarray(0, 1_000_000), image.subarray(1_000_000)] },
          { jobId: empty, record: 'submission', content: [new Uint8Array()] },
          { jobId: empty, record: 'result', content: [content] },
        ]),
      )
      const records = await vault.open([large, empty, absent], 'submission', signal())
      expect([...records.keys()].sort()).toEqual([large, empty].sort())
      expect(Buffer.compare(Buffer.from(records.get(large) ?? []), image)).toBe(0)
      expect(records.get(empty)).toHaveLength(0)
      expect(Buffer.from((await opened(empty, 'result')) ?? [])).toEqual(content)
    })

    it('erases only in the transaction that writes the result: a rollback keeps the images', async () => {
      const { database, vault } = subject
      const jobId = randomUUID()
      await sealed(jobId)
      const failing = database.transaction(async (tx) => {
        await vault.erase(tx, [jobId], 'submission')
        await vault.seal(tx, [{ jobId, record: 'result', content: [content] }])
        throw new Error('the fence was lost')
      })
      await expect(failing).rejects.toThrow('the fence was lost')
      expect(await opened(jobId)).toBeDefined()
      expect(await opened(jobId, 'result')).toBeUndefined()
      await database.transaction(async (tx) => {
        await vault.erase(tx, [jobId], 'submission')
        await vault.seal(tx, [{ jobId, record: 'result', content: [content] }])
      })
      expect(await opened(jobId)).toBeUndefined()
      expect(await opened(jobId, 'result')).toBeDefined()
      await database.transaction((tx) => vault.erase(tx, [jobId]))
      expect(await opened(jobId, 'result')).toBeUndefined()
    })

    it('stores no record of a batch whose transaction fails', async () => {
      const { database, vault } = subject
      const [first, second] = [randomUUID(), randomUUID()]
      const failing = database.transaction(async (tx) => {
        await vault.seal(tx, [
          { jobId: first, record: 'submission', content: [content] },
          { jobId: second, record: 'submission', content: [content] },
        ])
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect((await vault.open([first, second], 'submission', signal())).size).toBe(0)
    })

    it('stores no readable content, and two equal images differ', async () => {
      const { database } = subject
      const [first, second] = [randomUUID(), randomUUID()]
      await sealed(first, second)
      const { rows } = await database.orm.execute<{ job_id: string; wrapped_key: Buffer }>(
        sql`select * from vault_record where job_id in (${first}, ${second})`,
      )
      expect(rows).toHaveLength(2)
      const stored = [await subject.sealed(first), await subject.sealed(second)] as const
      for (const text of [JSON.stringify(rows), ...stored.map((bytes) => bytes.toString('latin1'))]) expect(text).not.toContain('a face')
      expect(stored[0].equals(stored[1])).toBe(false)
      expect(rows[0]?.wrapped_key.equals(rows[1]?.wrapped_key ?? Buffer.alloc(0))).toBe(false)
    })

    for (const [change, statement] of [
      ['a changed data key', sql`wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)`],
      ['a record in place of the other one', sql`record = 'result'`],
    ] as const)
      it(`refuses ${change} as an internal fault that names the job`, async () => {
        const jobId = randomUUID()
        await sealed(jobId)
        await subject.database.orm.execute(sql`update vault_record set ${statement} where job_id = ${jobId}`)
        const opening = opened(jobId, change.startsWith('a record') ? 'result' : 'submission')
        await expect(opening).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(jobId) })
      })

    for (const [change, changed] of [
      ['a changed byte of the content', (sealed: Buffer) => sealed.fill((sealed[14] ?? 0) ^ 1, 14, 15)],
      ['a truncated content', (sealed: Buffer) => sealed.subarray(0, 20)],
      ['a content without its tag', (sealed: Buffer) => sealed.subarray(0, 8)],
    ] as const)
      it(`refuses ${change} as an internal fault that names the job`, async () => {
        const jobId = randomUUID()
        await sealed(jobId)
        await subject.replace(jobId, changed(await subject.sealed(jobId)))
        await expect(opened(jobId)).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(jobId) })
      })

    it('refuses the record of another job under this job id', async () => {
      const [target, foreign] = [randomUUID(), randomUUID()]
      await sealed(foreign)
      await subject.database.orm.execute(sql`update vault_record set job_id = ${target} where job_id = ${foreign}`)
      await expect(opened(target)).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('re-encrypts data keys with a new key, in steps, without touching the contents', async () => {
      const { database, rotated, withOtherKey } = subject
      // without those that other cases have damaged
      await database.orm.execute(sql`delete from vault_record`)
      const jobIds = [randomUUID(), randomUUID(), randomUUID()]
      await sealed(...jobIds)
      const contents = () => Promise.all(jobIds.map(subject.sealed))
      const keyIds = async () =>
        (
          await database.orm.execute<{ key_id: string }>(
            sql`select distinct key_id from vault_record where job_id = any(${sql.param(jobIds)}::text[])`,
          )
        ).rows.map((row) => row.key_id)
      const sealedBy = await keyIds()
      const before = await contents()
      expect((await rotated.open(jobIds, 'submission', signal())).size).toBe(3)
      expect(await rotated.rewrap(2)).toBe(2)
      while ((await rotated.rewrap(100)) > 0);
      expect(await contents()).toEqual(before)
      expect([sealedBy.length, await keyIds()]).toEqual([1, [expect.not.stringMatching(sealedBy[0] ?? '')]])
      expect((await withOtherKey.open(jobIds, 'submission', signal())).size).toBe(3)
      await expect(subject.vault.open(jobIds, 'submission', signal())).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('names the job whose data key cannot be re-encrypted', async () => {
      const { database, rotated } = subject
      await database.orm.execute(sql`delete from vault_record`)
      const jobId = randomUUID()
      await sealed(jobId)
      await database.orm.execute(sql`update vault_record set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)`)
      await expect(rotated.rewrap(10)).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(jobId) })
      await database.orm.execute(sql`delete from vault_record`)
    })

    it('refuses a record encrypted with another key', async () => {
      const jobId = randomUUID()
      await sealed(jobId)
      await expect(subject.withOtherKey.open([jobId], 'submission', signal())).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('reads a list in which one record is damaged: only that one is a fault', async () => {
      const [intact, damaged] = [randomUUID(), randomUUID()]
      await sealed(intact, damaged)
      await subject.database.orm.execute(
        sql`update vault_record set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1) where job_id = ${damaged}`,
      )
      const records = await subject.vault.openEach([intact, damaged], 'submission', signal())
      expect(Buffer.compare(content, Buffer.from(Object(records.get(intact))))).toBe(0)
      expect(records.get(damaged)).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(damaged) })
    })
  })
}
