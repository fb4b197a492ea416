import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type VaultKeys, vaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { eq, inArray, sql } from '../../../engines/relational/drizzle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import type { Verdict } from '../../../subgraphs/verification/assessment/result.ts'
import { eraseCitizen } from '../../../subgraphs/verification/citizens/erase-citizen.ts'
import { rewrapTemplates } from '../../../subgraphs/verification/commands/rewrap-templates.ts'
import { FaceGallery } from '../../../subgraphs/verification/duplicates/face-gallery.ts'
import { type FaceTemplate, sealTemplate } from '../../../subgraphs/verification/duplicates/face-template.ts'
import { storeTemplate } from '../../../subgraphs/verification/duplicates/stored-templates.ts'
import { verificationFaceTemplate } from '../../../subgraphs/verification/duplicates/tables.ts'
import type { Verify } from '../../../subgraphs/verification/jobs/process-job.ts'
import { expireReviews } from '../../../subgraphs/verification/review/expire-reviews.ts'
import { verificationJob, verificationReview } from '../../../subgraphs/verification/tables.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { openReviewDesk, type Person, type ReviewDesk, uncertain } from '../../support/rest/review.ts'
import { madeFace } from '../../support/samples/faces/made-faces.ts'

const keys = vaultKeys(randomBytes(32))
const awa: Person = { subject: 'awa', roles: ['reviewer'] }
const verified = (template: FaceTemplate): Verdict => ({
  outcome: 'verified',
  failureReason: null,
  crossValidations: { reasons: [] },
  scores: {},
  template,
})
const pending = (template: FaceTemplate, duplicates: readonly number[] = []): Verdict => ({ ...uncertain, template, duplicates })

for (const engine of relationalEngines()) {
  describe(`one person under two codes on ${engine.name}`, () => {
    let desk: ReviewDesk
    let now = 0
    let gallery: FaceGallery
    beforeAll(async () => {
      desk = await openReviewDesk(engine, { templateKeys: keys })
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    const opened = (more: { readonly keys?: VaultKeys; readonly maxFaces?: number } = {}): FaceGallery =>
      new FaceGallery({ database: desk.database, keys: more.keys ?? keys, clock: { now: () => now }, log }, more.maxFaces)
    beforeEach(async () => {
      await desk.database.orm.delete(verificationFaceTemplate)
      gallery = opened()
    })
    const store = (citizenCode: string, face: FaceTemplate, owner = 'bank') =>
      desk.database.transaction((tx) => storeTemplate(tx, keys, { id: 'job', owner, citizenCode }, face, true))
    const hitsFor = async (citizenCode: string, face: FaceTemplate, owner = 'bank') =>
      (await gallery.search(owner, citizenCode, face, 0.5)).hits
    const storedRows = async () => {
      const rows = await desk.database.orm.select().from(verificationFaceTemplate).orderBy(verificationFaceTemplate.id)
      return rows.map(({ citizenCode }) => citizenCode)
    }

    it('is found by face similarity, the nearest first, and not under its own code', async () => {
      await store('A', madeFace(1))
      await store('B', madeFace(1, 0.2))
      await store('C', madeFace(7))
      const hits = await hitsFor('D', madeFace(1, 0.05))
      expect(hits.map(({ distance }) => distance)).toEqual([expect.closeTo(0.05, 5), expect.closeTo(0.15, 5)])
      expect(await hitsFor('A', madeFace(1, 0.19))).toHaveLength(1)
    })

    it('is not searched among the citizens of another key, nor with another model', async () => {
      await store('A', madeFace(1))
      expect(await hitsFor('D', madeFace(1), 'post')).toEqual([])
      expect(await hitsFor('D', madeFace(1, 0, 'sface'))).toEqual([])
    })

    it('is found as soon as the first code was verified, also by a running worker', async () => {
      expect(await hitsFor('B', madeFace(1))).toEqual([])
      await store('A', madeFace(1))
      expect(await hitsFor('B', madeFace(1))).toHaveLength(1)
    })

    it('is found within a minute although its row was committed after a row with a higher number, as in the previous release', async () => {
      await desk.database.transaction(async (tx) => {
        const holder = { owner: 'bank', citizenCode: 'slow', model: 'dlib' } as const
        await tx.insert(verificationFaceTemplate).values({ ...holder, ...sealTemplate(keys, holder, madeFace(1).vector) })
        await store('fast', madeFace(2))
        expect(await hitsFor('D', madeFace(2))).toHaveLength(1)
      })
      now += 60_000
      expect(await hitsFor('D', madeFace(1))).toHaveLength(1)
    })

    it.each([
      ['the same face', 0, ['pending_review', 'verified']],
      ['another face', 1, ['verified', 'verified']],
    ])('is found by one of two concurrent jobs: %s', async (_, apart, outcomes) => {
      const searchedBoth = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const verify = (mine: number): Verify => {
        const face = madeFace(1 + 2 * mine * apart)
        return async ({ citizenCode, owner }) => {
          const { hits, upTo } = await gallery.search(owner, citizenCode, face, 0.5)
          searchedBoth[mine]?.resolve()
          await Promise.all(searchedBoth.map(({ promise }) => promise))
          if (hits.length > 0)
            return pending(
              face,
              hits.map(({ id }) => id),
            )
          return { ...verified(face), searched: { upTo, within: 0.5 } }
        }
      }
      const ids = await Promise.all([0, 1].map((mine) => desk.pending(`AT-ONCE-${mine}`, { verdict: verify(mine), templateKeys: keys })))
      const jobs = await desk.database.orm.select().from(verificationJob).where(inArray(verificationJob.id, ids))
      expect(jobs.map(({ outcome }) => outcome).sort()).toEqual(outcomes)
    })

    it('is not found after its erasure, and is out of memory a minute later', async () => {
      await store('A', madeFace(1))
      await store('B', madeFace(2))
      expect(await hitsFor('D', madeFace(1))).toHaveLength(1)
      await eraseCitizen(desk, 'A', async () => undefined)
      expect(await storedRows()).toEqual(['B'])
      expect(await gallery.search('bank', 'D', madeFace(1), 0.5)).toMatchObject({ hits: [], searched: 2 })
      now += 60_000
      expect(await gallery.search('bank', 'D', madeFace(1), 0.5)).toMatchObject({ hits: [], searched: 1 })
    })

    it('reports when there are more faces than the search covers', async () => {
      for (const person of [1, 2, 3]) await store(`C${person}`, madeFace(person))
      expect(await opened({ maxFaces: 2 }).search('bank', 'D', madeFace(3), 0.5)).toMatchObject({ hits: [], searched: 2, isWhole: false })
      expect(await opened().search('bank', 'D', madeFace(3), 0.5)).toMatchObject({ searched: 3, isWhole: true })
    })

    it('has no face in the database that is readable without its key', async () => {
      const { vector } = madeFace(1)
      await store('A', { model: 'dlib', vector: vector.fill(0.125) })
      const [row] = await desk.database.orm.select().from(verificationFaceTemplate)
      expect(row?.sealed.includes(Buffer.from(vector.buffer))).toBe(false)
      await expect(opened({ keys: vaultKeys(randomBytes(32)) }).search('bank', 'D', madeFace(1), 0.5)).rejects.toMatchObject({
        code: 'INTERNAL',
        message: expect.not.stringContaining('bank'),
      })
      await expect(opened({ keys: vaultKeys(randomBytes(32)) }).readable()).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('is found under a new key; once its face is sealed again, also without the old key', async () => {
      const [before, after] = [randomBytes(32), randomBytes(32)]
      const holder = { id: 'job', owner: 'bank', citizenCode: 'A' }
      for (const citizenCode of ['A', 'B', 'C'])
        await desk.database.transaction((tx) => storeTemplate(tx, vaultKeys(before), { ...holder, citizenCode }, madeFace(1), true))
      const both = vaultKeys(after, [before])
      expect((await opened({ keys: both }).search('bank', 'D', madeFace(1), 0.5)).hits).toHaveLength(3)
      expect([await rewrapTemplates(desk.database, both, 2), await rewrapTemplates(desk.database, both, 2)]).toEqual([2, 1])
      expect((await opened({ keys: vaultKeys(after) }).search('bank', 'D', madeFace(1), 0.5)).hits).toHaveLength(3)
      await expect(rewrapTemplates(desk.database, keys, 9)).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('has no sealed face that is valid for another citizen', async () => {
      await store('A', madeFace(1))
      await desk.database.orm.update(verificationFaceTemplate).set({ citizenCode: 'B' })
      await expect(opened().search('bank', 'D', madeFace(1), 0.5)).rejects.toMatchObject({ code: 'INTERNAL' })
    })

    it('is stored once with the result that verifies, and is not part of the result', async () => {
      const id = await desk.pending('A', { verdict: verified(madeFace(1)), templateKeys: keys })
      await desk.pending('A', { verdict: verified(madeFace(2)), templateKeys: keys })
      await desk.pending('B', { verdict: { ...verified(madeFace(3)), outcome: 'rejected' }, templateKeys: keys })
      await desk.pending('C', { verdict: verified(madeFace(4)) })
      expect(await storedRows()).toEqual(['A'])
      const result = (await desk.vault.open([id], 'result', AbortSignal.timeout(5000))).get(id)
      expect(Object.keys(JSON.parse(Buffer.from(result ?? []).toString()))).toEqual([
        'outcome',
        'failureReason',
        'crossValidations',
        'scores',
        'processingTimeMs',
      ])
    })

    const claim = (id: string) =>
      desk.execute('mutation ($id: ID!) { claimReview(input: {jobId: $id}) { review { job { id } } } }', { id }, awa)
    const decide = (jobId: string, decision: string, reason: string) =>
      desk.execute(
        'mutation ($input: DecideReviewInput!) { decideReview(input: $input) { settled } }',
        { input: { jobId, decision, reason } },
        awa,
      )

    it.each([
      ['VERIFIED', 'CONFIRMED', 1],
      ['REJECTED', 'OTHER_PERSON', 0],
    ])('of a job in review is searched according to the decision %s', async (decision, reason, searched) => {
      const id = await desk.pending('A', { verdict: pending(madeFace(1)), templateKeys: keys })
      expect(await storedRows()).toEqual(['A'])
      expect(await hitsFor('D', madeFace(1))).toEqual([])
      await claim(id)
      await decide(id, decision, reason)
      expect(await hitsFor('D', madeFace(1))).toHaveLength(searched)
      expect(await storedRows()).toHaveLength(searched)
    })

    it('is reported to the reviewer who verifies it under a second code, after a decision on another job', async () => {
      const verdict = { ...pending(madeFace(1)), searched: { upTo: 0, within: 0.5 } }
      const [first, second, stranger] = [
        await desk.pending('A', { verdict, templateKeys: keys }),
        await desk.pending('B', { verdict, templateKeys: keys }),
        await desk.pending('C', { verdict: { ...verdict, template: madeFace(9) }, templateKeys: keys }),
      ]
      for (const id of [first, second, stranger]) await claim(id)
      expect(await decide(first, 'VERIFIED', 'CONFIRMED')).toMatchObject({ data: { decideReview: { settled: true } } })
      expect(await decide(stranger, 'VERIFIED', 'CONFIRMED')).toMatchObject({ data: { decideReview: { settled: true } } })
      const overtaken = await decide(second, 'VERIFIED', 'CONFIRMED')
      expect(overtaken).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('check the possible duplicates') })
      const shown = '{ reviewQueue { nodes { reasons job { id } } } }'
      const { data } = await desk.execute<{ reviewQueue: { nodes: { reasons: string[]; job: { id: string } }[] } }>(shown, {}, awa)
      expect(data?.reviewQueue.nodes.find(({ job }) => job.id === second)?.reasons).toContain('POSSIBLE_DUPLICATE')
      const reviewQuery = 'query ($id: ID!) { reviewImages(jobId: $id) { possibleDuplicates { code } } }'
      expect((await desk.execute(reviewQuery, { id: second }, awa)).data).toEqual({ reviewImages: { possibleDuplicates: [{ code: 'A' }] } })
      expect(await storedRows()).toEqual(['B', 'A', 'C'])
      // a reviewer who has seen it may decide without another warning
      expect(await decide(second, 'VERIFIED', 'CONFIRMED')).toMatchObject({ data: { decideReview: { settled: true } } })
      const result = (await desk.vault.open([second], 'result', AbortSignal.timeout(5000))).get(second)
      expect(Buffer.from(result ?? []).toString()).not.toMatch(/searched|duplicates/)
    })

    it('is rejected without a duplicate warning', async () => {
      const verdict = { ...pending(madeFace(1)), searched: { upTo: 0, within: 0.5 } }
      const id = await desk.pending('B', { verdict, templateKeys: keys })
      await store('A', madeFace(1))
      await claim(id)
      expect(await decide(id, 'REJECTED', 'OTHER_PERSON')).toMatchObject({ data: { decideReview: { settled: true } } })
    })

    it('is erased with an expired review, and with its job', async () => {
      const id = await desk.pending('A', { verdict: pending(madeFace(1)), templateKeys: keys })
      await desk.database.orm
        .update(verificationReview)
        .set({ waitingSince: sql`now() - interval '2 days'` })
        .where(eq(verificationReview.jobId, id))
      await expireReviews(desk.database, desk.vault, 1, AbortSignal.timeout(5000))
      expect(await storedRows()).toEqual([])
    })

    it('is named only to the reviewer who has claimed the job, and not after the erasure of that code', async () => {
      await store('EARLIER-1', madeFace(1))
      const [{ id: deletedId } = { id: 0 }] = (await gallery.search('bank', 'X', madeFace(1), 0.5)).hits
      const id = await desk.pending('NEW-1', { verdict: pending(madeFace(1), [deletedId]), templateKeys: keys })
      await claim(id)
      const reviewQuery = 'query ($id: ID!) { reviewImages(jobId: $id) { possibleDuplicates { code } } }'
      const named = async () =>
        (await desk.execute<{ reviewImages: { possibleDuplicates: object[] } }>(reviewQuery, { id }, awa)).data?.reviewImages
          .possibleDuplicates
      expect(await named()).toEqual([{ code: 'EARLIER-1' }])
      const { data } = await desk.execute(
        '{ verificationResults { nodes { job { id } crossValidations { reasons duplicates { properties { key text } } } } } }',
        {},
        'service',
      )
      expect(JSON.stringify(data)).not.toContain('EARLIER')
      const result = (await desk.vault.open([id], 'result', AbortSignal.timeout(5000))).get(id)
      expect(Buffer.from(result ?? []).toString()).not.toContain('duplicates')
      await eraseCitizen(desk, 'EARLIER-1', async () => undefined)
      expect(await named()).toEqual([])
    })
  })
}
