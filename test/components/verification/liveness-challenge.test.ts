import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { eraseCitizen } from '../../../subgraphs/verification/citizens/erase-citizen.ts'
import { challengeOf, deleteUnusedChallenges, startChallenge } from '../../../subgraphs/verification/liveness/challenges.ts'
import { livenessChallenge } from '../../../subgraphs/verification/liveness/tables.ts'
import { verificationJob } from '../../../subgraphs/verification/tables.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { openReviewDesk, type ReviewDesk } from '../../support/rest/review.ts'

interface Started {
  readonly nonce: string
  readonly steps: readonly string[]
  readonly expiresAt: string
  readonly maxFrames: number
}

const start =
  'mutation ($input: StartLivenessChallengeInput!) { startLivenessChallenge(input: $input) { challenge { nonce steps expiresAt maxFrames } } }'
const submit = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'
const submitBatch = 'mutation ($input: SubmitVerificationBatchInput!) { submitVerificationBatch(input: $input) { jobs { id } } }'
const image = Buffer.from('none that can be looked at').toString('base64')

const answer = (citizenCode: string, nonce: string) => ({
  citizenCode,
  documentType: 'CNI',
  countryCode: 'SN',
  selfie: image,
  documentFront: image,
  declaredIdentity: { firstName: 'A', lastName: 'B' },
  liveness: { nonce, frames: [0, 1, 2, 3].map((atMs) => ({ atMs, image })) },
})

for (const engine of relationalEngines()) {
  describe(`a challenge on ${engine.name}`, () => {
    let desk: ReviewDesk
    beforeAll(async () => {
      desk = await openReviewDesk(engine)
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    const started = async (citizenCode: string): Promise<Started> => {
      const { data } = await desk.execute<{ startLivenessChallenge: { challenge: Started } }>(start, { input: { citizenCode } }, 'service')
      return data?.startLivenessChallenge.challenge ?? expect.fail('no challenge')
    }
    const submitted = (input: object) => desk.execute<{ submitVerification: { job: { id: string } } }>(submit, { input }, 'service')
    const jobs = () => desk.database.orm.$count(verificationJob)

    it('has three different steps within sixty seconds, in another order each time', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, (_, of) => started(`CIT-ORDER-${of}`)))
      for (const { steps, maxFrames } of all) {
        expect(new Set(steps).size).toBe(3)
        expect(steps.some((step) => ['TURN_LEFT', 'TURN_RIGHT', 'LOOK_UP'].includes(step))).toBe(true)
        expect(maxFrames).toBe(20)
      }
      expect(new Set(all.map(({ steps }) => steps.join())).size).toBeGreaterThan(3)
      expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(20)
      const { rows } = await desk.database.orm.execute(
        sql`select distinct expires_at - issued_at = interval '60 s' as right from liveness_challenge`,
      )
      expect(rows).toEqual([{ right: true }])
    })

    it('is started at most five times an hour for a citizen, also concurrently, and again afterwards', async () => {
      const startChallenge = (citizenCode: string) => desk.execute(start, { input: { citizenCode } }, 'service')
      const responses = await Promise.all(Array.from({ length: 8 }, () => startChallenge('CIT-OFTEN')))
      expect(responses.map(({ code }) => code).filter((code) => code === 'RATE_LIMITED')).toHaveLength(3)
      expect((await startChallenge('CIT-SELDOM')).code).toBeUndefined()
      const hourAgo = sql`${livenessChallenge.issuedAt} - interval '1 hour'`
      await desk.database.orm.update(livenessChallenge).set({ issuedAt: hourAgo }).where(eq(livenessChallenge.citizenCode, 'CIT-OFTEN'))
      expect((await startChallenge('CIT-OFTEN')).code).toBeUndefined()
    })

    it('is for services that may submit, not for users', async () => {
      expect(await desk.execute(start, { input: { citizenCode: 'C' } }, { subject: 'awa', roles: ['super_admin'] })).toMatchObject({
        data: { startLivenessChallenge: null },
        code: 'FORBIDDEN',
      })
    })

    it('is bound to the job that answers it; older releases do not process that job', async () => {
      const { nonce, steps } = await started('CIT-1')
      const id = (await submitted(answer('CIT-1', nonce))).data?.submitVerification.job.id ?? ''
      expect(await challengeOf(desk.database, id)).toEqual({
        steps: steps.map((step) => step.toLowerCase()),
        elapsedMs: expect.any(Number),
        isLate: false,
      })
      const [job] = await desk.database.orm.select().from(verificationJob).where(eq(verificationJob.id, id))
      expect(job?.format).toBe(2)
    })

    it.each(['\0', '', 'n'.repeat(100_000)])('is unknown for a malformed nonce', async (nonce) => {
      expect(await submitted(answer('CIT-1', nonce))).toMatchObject(refusal('unknown'))
    })

    const refusal = (code: string) => ({
      data: { submitVerification: null },
      code: 'BAD_USER_INPUT',
      entries: [{ code, path: ['liveness', 'nonce'] }],
    })

    it('is refused to a second job, which is not stored', async () => {
      const { nonce } = await started('CIT-2')
      await submitted(answer('CIT-2', nonce))
      const before = await jobs()
      expect(await submitted(answer('CIT-2', nonce))).toMatchObject(refusal('challenge_used'))
      expect(await jobs()).toBe(before)
    })

    it('is accepted from one of two concurrent submissions', async () => {
      const { nonce } = await started('CIT-3')
      const both = await Promise.all([1, 2].map(() => submitted(answer('CIT-3', nonce))))
      expect(both.map(({ code }) => code).sort()).toEqual(['BAD_USER_INPUT', undefined])
    })

    it('returns the same job for a repeated submission with its Idempotency-Key', async () => {
      const { nonce } = await started('CIT-4')
      const input = { ...answer('CIT-4', nonce), idempotencyKey: 'with a challenge' }
      const [first, again] = [await submitted(input), await submitted(input)]
      expect(again.data).toEqual(first.data)
    })

    it('is unknown for another citizen, another caller, and without a start', async () => {
      const { nonce } = await started('CIT-5')
      const foreign = await startChallenge(desk.database, 'another key', 'CIT-5')
      for (const input of [answer('CIT-6', nonce), answer('CIT-5', foreign.nonce), answer('CIT-5', 'guessed')])
        expect(await submitted(input)).toMatchObject(refusal('unknown'))
    })

    it('is refused with the batch that uses it twice, with the path of the second use', async () => {
      const { nonce } = await started('CIT-7')
      const before = await jobs()
      const response = await desk.execute(submitBatch, { input: { jobs: [answer('CIT-7', nonce), answer('CIT-7', nonce)] } }, 'service')
      expect(response).toMatchObject({
        data: { submitVerificationBatch: null },
        entries: [{ code: 'challenge_used', path: ['jobs', 1, 'liveness', 'nonce'] }],
      })
      expect(await jobs()).toBe(before)
    })

    it('is late when answered after its expiry, by the clock of the database', async () => {
      const { nonce } = await started('CIT-8')
      await desk.database.orm
        .update(livenessChallenge)
        .set({ issuedAt: sql`now() - interval '61 s'`, expiresAt: sql`now() - interval '1 s'` })
        .where(eq(livenessChallenge.nonce, nonce))
      const id = (await submitted(answer('CIT-8', nonce))).data?.submitVerification.job.id ?? ''
      const used = await challengeOf(desk.database, id)
      expect(used?.isLate).toBe(true)
      expect(used?.elapsedMs).toBeGreaterThanOrEqual(61_000)
    })

    it('is erased with its citizen, used or not, and with its job', async () => {
      await submitted(answer('CIT-9', (await started('CIT-9')).nonce))
      await started('CIT-9')
      const remaining = (code: string) => desk.database.orm.$count(livenessChallenge, eq(livenessChallenge.citizenCode, code))
      expect(await remaining('CIT-9')).toBe(2)
      await eraseCitizen(desk, 'CIT-9', async () => undefined)
      expect(await remaining('CIT-9')).toBe(0)
      await submitted(answer('CIT-10', (await started('CIT-10')).nonce))
      await desk.database.orm.delete(verificationJob).where(eq(verificationJob.citizenCode, 'CIT-10'))
      expect(await remaining('CIT-10')).toBe(0)
    })

    it('without an answer is deleted within an hour', async () => {
      const { nonce } = await started('CIT-11')
      await desk.database.orm
        .update(livenessChallenge)
        .set({ expiresAt: sql`now() - interval '61 minutes'` })
        .where(eq(livenessChallenge.nonce, nonce))
      await deleteUnusedChallenges(desk.database)
      expect(await desk.database.orm.$count(livenessChallenge, eq(livenessChallenge.nonce, nonce))).toBe(0)
    })
  })
}
