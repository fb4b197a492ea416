import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { chipChallengeOf, deleteUnusedChipChallenges, startChipChallenge } from '../../../subgraphs/verification/chip/challenges.ts'
import { chipChallenge } from '../../../subgraphs/verification/chip/tables.ts'
import { eraseCitizen } from '../../../subgraphs/verification/citizens/erase-citizen.ts'
import { verificationJob } from '../../../subgraphs/verification/tables.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { openReviewDesk, type ReviewDesk } from '../../support/rest/review.ts'

interface Started {
  readonly nonce: string
  readonly bytes: string
  readonly expiresAt: string
}

const start = 'mutation ($input: StartChipChallengeInput!) { startChipChallenge(input: $input) { challenge { nonce bytes expiresAt } } }'
const submit = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'
const submitBatch = 'mutation ($input: SubmitVerificationBatchInput!) { submitVerificationBatch(input: $input) { jobs { id } } }'
const content = Buffer.from('none that can be looked at').toString('base64')

const answer = (citizenCode: string, nonce: string) => ({
  citizenCode,
  documentType: 'PASSPORT',
  countryCode: 'SN',
  selfie: content,
  documentFront: content,
  declaredIdentity: { firstName: 'A', lastName: 'B' },
  chip: { sod: content, dg1: content, dg2: content, dg15: content, activeAuthentication: { nonce, response: content } },
})

for (const engine of relationalEngines()) {
  describe(`a chip challenge on ${engine.name}`, () => {
    let desk: ReviewDesk
    beforeAll(async () => {
      desk = await openReviewDesk(engine)
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    const started = async (citizenCode: string): Promise<Started> => {
      const { data } = await desk.execute<{ startChipChallenge: { challenge: Started } }>(start, { input: { citizenCode } }, 'service')
      return data?.startChipChallenge.challenge ?? expect.fail('no challenge')
    }
    const submitted = (input: object) => desk.execute<{ submitVerification: { job: { id: string } } }>(submit, { input }, 'service')
    const jobs = () => desk.database.orm.$count(verificationJob)
    const remaining = (code: string) => desk.database.orm.$count(chipChallenge, eq(chipChallenge.citizenCode, code))
    const refusal = (code: string) => ({
      data: { submitVerification: null },
      code: 'BAD_USER_INPUT',
      entries: [{ code, path: ['chip', 'activeAuthentication', 'nonce'] }],
    })

    it('has eight new bytes each time, and expires after ten minutes', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, (_, of) => started(`CIT-MANY-${of}`)))
      expect(new Set(all.map(({ bytes }) => bytes)).size).toBe(20)
      expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(20)
      expect(all.map(({ bytes }) => Buffer.from(bytes, 'base64').length)).toEqual(Array.from({ length: 20 }, () => 8))
      const { rows } = await desk.database.orm.execute(
        sql`select distinct expires_at - issued_at = interval '10 minutes' as right from chip_challenge`,
      )
      expect(rows).toEqual([{ right: true }])
    })

    it('is for services that may submit, not for users', async () => {
      expect(await desk.execute(start, { input: { citizenCode: 'C' } }, { subject: 'awa', roles: ['super_admin'] })).toMatchObject({
        data: { startChipChallenge: null },
        code: 'FORBIDDEN',
      })
    })

    it('is bound to the job that answers it; older releases do not process that job', async () => {
      const { nonce, bytes } = await started('CIT-1')
      const id = (await submitted(answer('CIT-1', nonce))).data?.submitVerification.job.id ?? ''
      expect(Buffer.from((await chipChallengeOf(desk.database, id)) ?? []).toString('base64')).toBe(bytes)
      const [job] = await desk.database.orm.select().from(verificationJob).where(eq(verificationJob.id, id))
      expect(job?.format).toBe(3)
    })

    it.each(['\0', '', 'n'.repeat(100_000)])('is unknown for a malformed nonce', async (nonce) => {
      expect(await submitted(answer('CIT-1', nonce))).toMatchObject(refusal('unknown'))
    })

    it('is unknown for another citizen, another caller, and without a start', async () => {
      const { nonce } = await started('CIT-2')
      const foreign = await startChipChallenge(desk.database, 'another key', 'CIT-2')
      for (const input of [answer('CIT-3', nonce), answer('CIT-2', foreign.nonce), answer('CIT-2', 'n'.repeat(32))])
        expect(await submitted(input)).toMatchObject(refusal('unknown'))
    })

    it('is refused to a second job, which is not stored', async () => {
      const { nonce } = await started('CIT-4')
      const both = await Promise.all([1, 2].map(() => submitted(answer('CIT-4', nonce))))
      expect(both.map(({ code }) => code).sort()).toEqual(['BAD_USER_INPUT', undefined])
      const before = await jobs()
      expect(await submitted(answer('CIT-4', nonce))).toMatchObject(refusal('challenge_used'))
      const response = await desk.execute(
        submitBatch,
        { input: { jobs: [answer('CIT-4', (await started('CIT-4')).nonce), answer('CIT-4', nonce)] } },
        'service',
      )
      expect(response).toMatchObject({ entries: [{ code: 'challenge_used', path: ['jobs', 1, 'chip', 'activeAuthentication', 'nonce'] }] })
      expect(await jobs()).toBe(before)
    })

    it('is refused after its expiry, by the clock of the database, and deleted an hour later', async () => {
      const { nonce } = await started('CIT-5')
      const endAt = (ago: string) =>
        desk.database.orm
          .update(chipChallenge)
          .set({ expiresAt: sql`now() - ${ago}::interval` })
          .where(eq(chipChallenge.nonce, nonce))
      await endAt('1 s')
      expect(await submitted(answer('CIT-5', nonce))).toMatchObject(refusal('challenge_expired'))
      await endAt('61 minutes')
      await deleteUnusedChipChallenges(desk.database)
      expect(await remaining('CIT-5')).toBe(0)
    })

    it('is erased with its citizen, used or not, and with its job', async () => {
      await submitted(answer('CIT-6', (await started('CIT-6')).nonce))
      await started('CIT-6')
      expect(await remaining('CIT-6')).toBe(2)
      await eraseCitizen(desk, 'CIT-6', async () => undefined)
      expect(await remaining('CIT-6')).toBe(0)
      await submitted(answer('CIT-7', (await started('CIT-7')).nonce))
      await desk.database.orm.delete(verificationJob).where(eq(verificationJob.citizenCode, 'CIT-7'))
      expect(await remaining('CIT-7')).toBe(0)
    })
  })
}
