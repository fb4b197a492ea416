import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { listCallbacks } from '../../../subgraphs/verification/callbacks/callback-log.ts'
import { callbackBody, callbackId, jobOfCallback } from '../../../subgraphs/verification/callbacks/callback-message.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { proposals } from '../../../subgraphs/verification/commands/propose-thresholds.ts'
import { removeOldJobs } from '../../../subgraphs/verification/jobs/retention.ts'
import { startChallenge } from '../../../subgraphs/verification/liveness/challenges.ts'
import { expireReviews } from '../../../subgraphs/verification/review/expire-reviews.ts'
import { registerReviewMetrics } from '../../../subgraphs/verification/review/review-gauges.ts'
import { verificationCallback, verificationJob, verificationReview } from '../../../subgraphs/verification/tables.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { jpegOf, openReviewDesk, type Person, type ReviewDesk, uncertain } from '../../support/rest/review.ts'

const never = new AbortController().signal
const awa: Person = { subject: 'awa', roles: ['reviewer'] }
const bineta: Person = { subject: 'bineta', roles: ['reviewer'] }
const chidi: Person = { subject: 'chidi', roles: ['super_admin'] }

interface Result {
  readonly outcome: string
  readonly review: { readonly reason: string } | null
  readonly job: { readonly id: string }
  readonly crossValidations: { readonly reasons: readonly string[] }
}
interface Images {
  readonly images: readonly { readonly image: string; readonly face: object | null; readonly path: string; readonly expiresAt: string }[]
  readonly declaredIdentity: { readonly firstName: string }
  readonly crossValidations: { readonly reasons: readonly string[] }
}

/** Operations of callers, as clients write them. */
const calls = (desk: ReviewDesk) => ({
  claim: (person: Person, jobId: string) =>
    desk.execute<{ claimReview: { review: { job: { id: string }; claim: { isMine: boolean } } } }>(
      'mutation ($jobId: ID!) { claimReview(input: {jobId: $jobId}) { review { job { id } citizen { code } reasons claim { isMine until } } } }',
      { jobId },
      person,
    ),
  release: (person: Person, jobId: string) =>
    desk.execute<{ releaseReview: { released: boolean } }>(
      'mutation ($jobId: ID!) { releaseReview(input: {jobId: $jobId}) { released } }',
      { jobId },
      person,
    ),
  decide: (
    person: Person,
    jobId: string,
    decision = 'VERIFIED',
    reason = decision === 'VERIFIED' ? 'CONFIRMED' : 'OTHER_PERSON',
    note?: string,
  ) =>
    desk.execute<{ decideReview: { settled: boolean } }>(
      'mutation ($input: DecideReviewInput!) { decideReview(input: $input) { job { id } settled } }',
      { input: { jobId, decision, reason, note } },
      person,
    ),
  images: async (person: Person, jobId: string) =>
    desk.execute<{ reviewImages: Images }>(
      'query ($jobId: ID!) { reviewImages(jobId: $jobId) { images { image face { x y width height turn } path expiresAt } declaredIdentity { firstName declaredGender gender } crossValidations { reasons } scores { faceMatch } } }',
      { jobId },
      person,
    ),
  queue: async (person: Person, args = '') => {
    const list = args === '' ? '' : `(${args})`
    return desk.execute<{
      reviewQueue: {
        totalCount: number
        nodes: { job: { id: string }; claim: object | null }[]
        pageInfo: { endCursor: string; hasNextPage: boolean }
      }
    }>(`{ reviewQueue${list} { totalCount nodes { job { id } claim { isMine } } pageInfo { endCursor hasNextPage } } }`, {}, person)
  },
  poll: async (): Promise<readonly Result[]> => {
    const text = '{ verificationResults(first: 1000) { nodes { outcome review { reason } job { id } crossValidations { reasons } } } }'
    return (await desk.execute<{ verificationResults: { nodes: Result[] } }>(text, {}, 'service')).data?.verificationResults.nodes ?? []
  },
  acknowledge: async (jobId: string): Promise<number | undefined> => {
    const text = 'mutation ($jobIds: [ID!]!) { acknowledgeVerificationResults(input: { jobIds: $jobIds }) { acknowledged } }'
    const response = await desk.execute<{ acknowledgeVerificationResults: { acknowledged: number } }>(text, { jobIds: [jobId] }, 'service')
    return response.data?.acknowledgeVerificationResults.acknowledged
  },
  undo: (person: Person, jobId: string) =>
    desk.execute<{ undoReviewDecision: { note: string | null; review: { claim: { isMine: boolean } } } }>(
      'mutation ($jobId: ID!) { undoReviewDecision(input: {jobId: $jobId}) { note review { claim { isMine } } } }',
      { jobId },
      person,
    ),
  sendNow: (person: Person, jobId: string) =>
    desk.execute<{ sendReviewDecision: { job: { id: string } } }>(
      'mutation ($jobId: ID!) { sendReviewDecision(input: {jobId: $jobId}) { job { id } } }',
      { jobId },
      person,
    ),
  own: (person: Person) =>
    desk.execute<{ ownReviewDecisions: { citizen: { code: string }; decision: string; state: string; heldUntil: string | null }[] }>(
      '{ ownReviewDecisions { citizen { code } decision state heldUntil } }',
      {},
      person,
    ),
  history: async (jobId: string) => {
    const fields =
      'outcome acknowledgedAt reasons failure { code } timeline { kind service outcome decision reason note administrator { id } }'
    const text = `query ($jobId: ID!) { verificationJob(id: $jobId) { ${fields} result { outcome } } }`
    return (await desk.execute<{ verificationJob: object | null }>(text, { jobId }, chidi)).data?.verificationJob
  },
  decisions: (person: Person, jobId: string) =>
    desk.execute<{ reviewDecisions: { reviewer: { id: string }; note: string | null }[] }>(
      'query ($jobId: ID!) { reviewDecisions(jobId: $jobId) { reviewer { id } decision reason note } }',
      { jobId },
      person,
    ),
  /** Names of the sealed records of a job. */
  records: async (jobId: string): Promise<readonly string[]> => {
    const { rows } = await desk.database.orm.execute<{ record: string }>(
      sql`select record from vault_record where job_id = ${jobId} order by record`,
    )
    return rows.map(({ record }) => record)
  },
  audited: async (jobId: string): Promise<readonly string[]> => {
    const { rows } = await desk.database.orm.execute<{ line: string }>(
      sql`select concat_ws(' ', subject, action, details->>'image') as line from audit_record
        where target = ${jobId} and action like 'verification.review.%' order by id`,
    )
    return rows.map(({ line }) => line)
  },
  endClaim: (jobId: string) =>
    desk.database.orm
      .update(verificationReview)
      .set({ claimUntil: sql`now() - interval '1 second'` })
      .where(eq(verificationReview.jobId, jobId)),
})

for (const engine of relationalEngines()) {
  describe(`the review on ${engine.name}`, () => {
    let desk: ReviewDesk
    let people: ReturnType<typeof calls>
    beforeAll(async () => {
      desk = await openReviewDesk(engine)
      people = calls(desk)
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    beforeEach(async () => {
      desk.aheadMs = 0
      await desk.database.orm.delete(verificationJob)
    })
    const claimed = async (person = awa): Promise<string> => {
      const id = await desk.pending()
      await people.claim(person, id)
      return id
    }

    it('erases images with the result, and lists nothing, when images are not retained', async () => {
      const id = await desk.pending('CIT-1', { keepsForReview: false })
      expect(await people.records(id)).toEqual(['result'])
      expect((await people.queue(awa)).data?.reviewQueue.nodes).toEqual([])
    })

    it('retains images only of jobs that are left to review', async () => {
      const verdict = { ...uncertain, outcome: 'rejected' } as const
      expect(await people.records(await desk.pending('CIT-1', { verdict }))).toEqual(['result'])
      expect(await people.records(await desk.pending())).toEqual(['result', 'review', 'submission'])
    })

    it('leads from the queue to a second completion, which also reaches a client that acknowledged the first', async () => {
      const face = { x: 0.2, y: 0.3, width: 0.1, height: 0.15, turn: 0 as const }
      const id = await desk.pending(undefined, { verdict: { ...uncertain, faces: { documentFront: face } } })
      expect(await people.poll()).toMatchObject([{ outcome: 'PENDING_REVIEW', review: null }])
      expect(await people.acknowledge(id)).toBe(1)
      expect((await people.queue(awa)).data?.reviewQueue.nodes).toEqual([{ job: { id }, claim: null }])
      expect((await people.claim(awa, id)).data?.claimReview.review).toMatchObject({ job: { id }, claim: { isMine: true } })

      const review = (await people.images(awa, id)).data?.reviewImages
      expect(review).toMatchObject({
        declaredIdentity: { firstName: 'A', declaredGender: null, gender: null },
        crossValidations: { reasons: ['FACE_MISMATCH'] },
      })
      expect(review?.images.map(({ image, face: place }) => [image, place])).toEqual([
        ['SELFIE', null],
        ['DOCUMENT_FRONT', face],
      ])
      const files = await Promise.all((review?.images ?? []).map(({ path }) => desk.get(path, awa)))
      expect(files.map(({ bytes }) => bytes)).toEqual([jpegOf('selfie'), jpegOf('front')])
      for (const { status, headers } of files) {
        expect({ status, type: headers['content-type'], cacheControl: headers['cache-control'] }).toEqual({
          status: 200,
          type: 'image/jpeg',
          cacheControl: 'no-store',
        })
        expect(headers.etag).toBeUndefined()
      }

      const from = await desk.feed.position('verification', never)
      expect((await people.decide(awa, id, 'REJECTED', 'OTHER_PERSON', 'ears differ')).data?.decideReview).toEqual({
        job: { id },
        settled: true,
      })
      expect(await desk.feed.position('verification', never)).toBe(from + 1)
      expect(await people.records(id)).toEqual(['notes', 'result'])
      expect(await people.poll()).toMatchObject([
        { outcome: 'REJECTED', review: { reason: 'OTHER_PERSON' }, job: { id }, crossValidations: { reasons: ['FACE_MISMATCH'] } },
      ])
      expect(await people.acknowledge(id)).toBe(1)
      expect(await people.poll()).toEqual([])
      expect((await people.decisions(bineta, id)).data?.reviewDecisions).toEqual([
        { reviewer: { id: 'awa' }, decision: 'REJECTED', reason: 'OTHER_PERSON', note: 'ears differ' },
      ])
      expect(await people.audited(id)).toEqual([
        'awa verification.review.queue.read',
        'awa verification.review.claim',
        'awa verification.review.evidence.read',
        expect.stringMatching(/^awa verification.review.image.read (selfie|documentFront)$/),
        expect.stringMatching(/^awa verification.review.image.read (selfie|documentFront)$/),
        'awa verification.review.decide',
        'bineta verification.review.decisions.read',
      ])
      const { rows } = await desk.database.orm.execute(sql`select 1 from audit_record where details::text like '%ears%'`)
      expect(rows).toEqual([])
    })

    it('does not lose a decision to an acknowledgement of the result before it', async () => {
      const id = await claimed()
      await people.poll()
      await people.decide(awa, id)
      expect(await people.acknowledge(id)).toBe(0)
      expect(await people.poll()).toMatchObject([{ outcome: 'VERIFIED' }])
      expect(await people.acknowledge(id)).toBe(1)
    })

    it('records a repeated decision once', async () => {
      const id = await claimed()
      const from = await desk.feed.position('verification', never)
      const sent = await Promise.all([1, 2, 3].map(() => people.decide(awa, id)))
      expect(sent.map(({ data }) => data?.decideReview.settled)).toEqual([true, true, true])
      expect((await people.decide(awa, id)).data?.decideReview.settled).toBe(true)
      expect(await desk.feed.position('verification', never)).toBe(from + 1)
      expect(await people.decide(awa, id, 'REJECTED')).toMatchObject({ code: 'CONFLICT' })
    })

    it('assigns a job to one of two concurrent claims', async () => {
      const id = await desk.pending()
      const claims = await Promise.all([awa, bineta].map((person) => people.claim(person, id)))
      expect(claims.map(({ code }) => code).sort()).toEqual(['CONFLICT', undefined])
      const decisions = await Promise.all([awa, bineta].map((person) => people.decide(person, id)))
      expect(decisions.map(({ code }) => code).sort()).toEqual(['CONFLICT', undefined])
      expect((await people.decisions(awa, id)).data?.reviewDecisions).toHaveLength(1)
    })

    it('refuses decision and images after the lease has expired, and assigns the job to the next reviewer', async () => {
      const id = await claimed()
      const [image] = (await people.images(awa, id)).data?.reviewImages.images ?? []
      await people.endClaim(id)
      expect(await people.decide(awa, id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('claim') })
      expect(await people.images(awa, id)).toMatchObject({ code: 'CONFLICT' })
      expect((await desk.get(image?.path ?? '', awa)).status).toBe(403)
      expect((await people.claim(bineta, id)).code).toBeUndefined()
      expect(await people.claim(awa, id)).toMatchObject({ code: 'CONFLICT', message: 'Another reviewer has claimed this job' })
      expect((await people.decide(bineta, id)).data?.decideReview.settled).toBe(true)
      expect(await people.claim(awa, id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('decided') })
    })

    it('assigns a released job to other reviewers', async () => {
      const id = await claimed()
      expect((await people.release(bineta, id)).data).toEqual({ releaseReview: { released: false } })
      expect((await people.release(awa, id)).data).toEqual({ releaseReview: { released: true } })
      expect(await people.audited(id)).toContain('awa verification.review.release')
      expect(await people.decide(awa, id)).toMatchObject({ code: 'CONFLICT' })
      expect((await people.claim(bineta, id)).code).toBeUndefined()
    })

    describe('shows an image', () => {
      const pathOf = async (id: string): Promise<string> => (await people.images(awa, id)).data?.reviewImages.images[0]?.path ?? ''

      it('to the claiming reviewer only, not anonymously, and not for a guessed or changed address', async () => {
        const path = await pathOf(await claimed())
        expect((await desk.get(path, bineta)).status).toBe(403)
        expect((await desk.get(path, chidi)).status).toBe(403)
        expect((await desk.get(path)).status).toBe(401)
        const begin = '/review/images/'.length
        const changed = Array.from({ length: path.length - begin - 1 }, (_, at) => begin + at).map(
          (at) => `${path.slice(0, at)}${path[at] === 'A' ? 'B' : 'A'}${path.slice(at + 1)}`,
        )
        for (const each of [...changed, `${path}AA`, '/review/images/x', `/review/images/${'A'.repeat(78)}`])
          expect((await desk.get(each, awa)).status).toBe(403)
        expect((await desk.get(path, awa)).status).toBe(200)
      })

      it('for a minute', async () => {
        const path = await pathOf(await claimed())
        desk.aheadMs = 61_000
        const late = await desk.get(path, awa)
        expect({ status: late.status, cacheControl: late.headers['cache-control'] }).toEqual({ status: 403, cacheControl: 'no-store' })
      })

      it('of a challenge, too: each frame that is an image, with the same protection, until the decision', async () => {
        const { nonce } = await startChallenge(desk.database, 'bank', 'CIT-1')
        const contents = [jpegOf('straight'), Buffer.from('<script>alert(1)</script>'), jpegOf('to the left'), jpegOf('closer')]
        const id = await desk.pending('CIT-1', { liveness: { nonce, frames: contents.map((bytes, at) => ({ atMs: 100 * at, bytes })) } })
        await people.claim(awa, id)
        const imagesQuery = 'query ($id: ID!) { reviewImages(jobId: $id) { images { image } frames { atMs path } } }'
        const { data } = await desk.execute<{ reviewImages: { images: object[]; frames: { atMs: number; path: string }[] } }>(
          imagesQuery,
          { id },
          awa,
        )
        const { images = [], frames = [] } = data?.reviewImages ?? {}
        expect(images).toEqual([{ image: 'SELFIE' }, { image: 'DOCUMENT_FRONT' }])
        expect(frames.map(({ atMs }) => atMs)).toEqual([0, 200, 300])
        const path = frames[1]?.path ?? ''
        expect((await desk.get(path, bineta)).status).toBe(403)
        const shown = await desk.get(path, awa)
        expect(shown.headers).toMatchObject({
          'content-type': 'image/jpeg',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        expect(shown.text).toContain('to the left')
        expect(await people.audited(id)).toContain('awa verification.review.image.read frame2')
        await people.decide(awa, id)
        expect(await people.records(id)).toEqual(['result'])
        expect((await desk.get(path, awa)).status).toBe(403)
      })

      it('not after the decision', async () => {
        const id = await claimed()
        const path = await pathOf(id)
        await people.decide(awa, id)
        expect((await desk.get(path, awa)).status).toBe(403)
      })
    })

    it('ends with its citizen', async () => {
      const id = await claimed()
      const path = (await people.images(awa, id)).data?.reviewImages.images[0]?.path ?? ''
      const erased = await desk.execute('mutation { eraseCitizen(input: { code: "CIT-1" }) { erasedJobs } }', {}, chidi)
      expect(erased.data).toEqual({ eraseCitizen: { erasedJobs: 1 } })
      expect(await people.records(id)).toEqual([])
      expect((await desk.get(path, awa)).status).toBe(403)
      expect(await people.decide(awa, id)).toMatchObject({ code: 'NOT_FOUND' })
      expect(await people.claim(awa, id)).toMatchObject({ code: 'NOT_FOUND' })
    })

    it('ends with the erasure of its citizen, also when it coincides with the decision', async () => {
      const id = await claimed()
      const [decided] = await Promise.all([
        people.decide(awa, id, 'VERIFIED', 'CONFIRMED', 'a note'),
        desk.execute('mutation { eraseCitizen(input: { code: "CIT-1" }) { erasedJobs } }', {}, chidi),
      ])
      expect([undefined, 'NOT_FOUND', 'CONFLICT']).toContain(decided.code)
      expect(await people.records(id)).toEqual([])
      const { rows } = await desk.database.orm.execute(sql`select 1 from verification_review_case where job_id = ${id}`)
      expect(rows).toEqual([])
    })

    it('refuses a reviewer who is the citizen', async () => {
      const id = await desk.pending('CIT-7')
      expect(await people.claim({ ...awa, citizenCode: 'CIT-7' }, id)).toMatchObject({ code: 'FORBIDDEN' })
      expect((await people.claim({ ...awa, citizenCode: 'CIT-8' }, id)).code).toBeUndefined()
      expect(await people.decide({ ...awa, citizenCode: 'CIT-7' }, id)).toMatchObject({ code: 'FORBIDDEN' })
    })

    it('is for reviewers and super_admins only', async () => {
      const id = await desk.pending()
      for (const roles of [[], ['group_admin'], ['REVIEWER']])
        expect(await people.claim({ subject: 'x', roles }, id)).toMatchObject({ code: 'FORBIDDEN' })
      expect((await people.claim({ subject: 'x', roles: ['group_admin', 'reviewer'] }, id)).code).toBeUndefined()
    })

    it('ends undecided after the retention of its images', async () => {
      const [old, young] = [await claimed(), await desk.pending()]
      await desk.database.orm
        .update(verificationReview)
        .set({ waitingSince: sql`now() - interval '8 days'` })
        .where(eq(verificationReview.jobId, old))
      expect(await expireReviews(desk.database, desk.vault, 7, never)).toBe(1)
      expect(await people.records(old)).toEqual(['result'])
      expect(await people.decide(awa, old)).toMatchObject({ code: 'CONFLICT' })
      const { data: queue } = await people.queue(awa)
      expect([queue?.reviewQueue.nodes.map(({ job }) => job.id), queue?.reviewQueue.totalCount]).toEqual([[young], 1])
      expect(await people.poll()).toMatchObject([{ outcome: 'PENDING_REVIEW' }, { outcome: 'PENDING_REVIEW' }])
      expect(await expireReviews(desk.database, desk.vault, 0, never)).toBe(1)
      expect(await people.records(young)).toEqual(['result'])
    })

    it('is stored beyond the status row’s 30 days, until the retention of results ends', async () => {
      const [acknowledged, unread] = [await desk.pending(), await desk.pending()]
      await people.acknowledge(acknowledged)
      await desk.database.orm.execute(
        sql`update verification_job set acknowledged_at = now() - interval '31 days' where id = ${acknowledged}`,
      )
      await desk.database.orm.execute(sql`update verification_job set completed_at = now() - interval '31 days' where id = ${unread}`)
      await removeOldJobs(desk.database, desk.vault, { resultDays: 30, outcomeDays: 0 }, never)
      expect(await people.records(acknowledged)).toEqual(['review', 'submission'])
      expect(await people.records(unread)).toEqual([])
    })

    it('names the invalid field of an input', async () => {
      const id = await claimed()
      expect(await people.decide(awa, id, 'VERIFIED', 'OTHER')).toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('reason'),
      })
      expect(await people.decide(awa, id, 'REJECTED', 'CONFIRMED')).toMatchObject({ code: 'BAD_USER_INPUT' })
      expect(await people.decide(awa, id, 'REJECTED', 'OTHER', 'n'.repeat(2001))).toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('note'),
      })
      for (const args of ['first: 0', 'first: 101', 'minAgeMinutes: -1'])
        expect(await people.queue(awa, args)).toMatchObject({
          code: 'BAD_USER_INPUT',
          message: expect.stringContaining(args.split(':')[0] ?? ''),
        })
      expect(await people.queue(awa, 'after: "x"')).toMatchObject({ code: 'MALFORMED', message: expect.stringContaining('after') })
      for (const jobId of ['', '\u0000', 'x', '01a1fc10-e529-7701-8213-412bbc7c3eb1'])
        expect(await people.claim(awa, jobId)).toMatchObject({ code: 'NOT_FOUND' })
    })

    it('omits a reason that only a newer release defines', async () => {
      const id = await desk.pending()
      const reasons = sql`array['face_mismatch', 'of_tomorrow']`
      await desk.database.orm.execute(sql`update verification_review set reasons = ${reasons} where job_id = ${id}`)
      expect((await people.claim(awa, id)).data).toMatchObject({ claimReview: { review: { reasons: ['FACE_MISMATCH'] } } })
    })

    it('lists the oldest first, in pages, by reason and age', async () => {
      const expired = { ...uncertain, crossValidations: { reasons: ['document_expired' as const] } }
      const ids = [await desk.pending(), await desk.pending('CIT-2', { verdict: expired }), await desk.pending()]
      const listed = async (args: string) => (await people.queue(awa, args)).data?.reviewQueue.nodes.map(({ job }) => job.id)
      expect(await listed('')).toEqual(ids)
      expect(await listed('reason: DOCUMENT_EXPIRED')).toEqual([ids[1]])
      const first = (await people.queue(awa, 'first: 2')).data?.reviewQueue
      expect(first?.pageInfo.hasNextPage).toBe(true)
      expect(await listed(`first: 2, after: "${first?.pageInfo.endCursor}"`)).toEqual([ids[2]])
      expect(await listed('last: 2')).toEqual(ids.slice(1))
      expect(await listed(`last: 2, before: "${first?.pageInfo.endCursor}"`)).toEqual(ids.slice(0, 1))
      await desk.database.orm.execute(
        sql`update verification_review set waiting_since = now() - interval '2 hours' where job_id = ${ids[2] ?? ''}`,
      )
      expect(await listed('minAgeMinutes: 60')).toEqual([ids[2]])
    })

    it('reports anonymous figures: pending, decided, and how often the decision agreed with the automatic check', async () => {
      await desk.database.orm.execute(sql`delete from verification_review_case`)
      const unlike = { ...uncertain, scores: { faceMatch: 0.4 } }
      const decided = [
        { verdict: uncertain, decision: 'VERIFIED' },
        { verdict: uncertain, decision: 'REJECTED' },
        { verdict: unlike, decision: 'REJECTED' },
        { verdict: { ...uncertain, scores: { overall: 0.2 } }, decision: 'REJECTED' },
      ]
      for (const { verdict, decision } of decided) {
        const id = await desk.pending('CIT-1', { verdict })
        await people.claim(awa, id)
        await people.decide(awa, id, decision)
      }
      await claimed()
      await desk.pending()
      const text = '{ reviewMetrics { waiting claimed oldestSeconds days { verified rejected } compared agreed } }'
      expect((await desk.execute(text, {}, awa)).data).toEqual({
        reviewMetrics: {
          waiting: 2,
          claimed: 1,
          oldestSeconds: expect.any(Number),
          days: [{ verified: 1, rejected: 3 }],
          compared: 3,
          agreed: 2,
        },
      })
      const registry = new Registry()
      registerReviewMetrics(registry, desk.database)
      const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      expect(lines.map((line) => line.replace(/(oldest_seconds) \S+/, '$1'))).toEqual([
        'civigraph_reviews_waiting 2',
        'civigraph_reviews_oldest_seconds',
        'civigraph_reviews_compared 3',
        'civigraph_reviews_agreed 2',
        'civigraph_reviews_decided{decision="verified"} 1',
        'civigraph_reviews_decided{decision="rejected"} 3',
      ])
    })

    it('proposes thresholds from the reviewers’ face decisions, and none from too few', async () => {
      await desk.database.orm.execute(sql`delete from verification_review_case`)
      const id = await desk.pending()
      await people.claim(awa, id)
      await people.decide(awa, id)
      expect(await proposals(desk.database, {}, 40)).toEqual([
        { cases: { model: undefined, onePerson: [0.55], twoPeople: [] }, lines: undefined },
      ])
      await desk.database.orm.execute(sql`insert into verification_review_case (decided_on, decision, reason, face_distance, scores)
        select now(), 'verified', 'confirmed', 0.4 + n * 0.005, '{}'::jsonb from generate_series(1, 40) as n
        union all select now(), 'rejected', 'other_person', 0.55 + n * 0.005, '{}'::jsonb from generate_series(1, 40) as n
        union all select now(), 'rejected', 'document_expired', 0.1, '{}'::jsonb from generate_series(1, 40)`)
      const [proposal] = await proposals(desk.database, { faceSame: 0.45 }, 40)
      expect(proposal?.lines).toMatchObject([
        { name: 'faceSame', now: 0.45, proposed: 0.554, wrongNow: { count: 0, of: 40 }, wrongProposed: { count: 0, of: 40 } },
        {
          name: 'faceOther',
          now: defaultThresholds.faceOther,
          proposed: 0.601,
          wrongNow: { count: 0, of: 41 },
          wrongProposed: { count: 0, of: 41 },
        },
      ])
    })

    it('sends a callback under another id', async () => {
      const id = await desk.pending('CIT-1', { callbackUrl: 'https://bank.test/callback' })
      const callback = async () => {
        const [callback] = await listCallbacks(desk.database, 'all', { jobIds: [id] }, { limit: 1 })
        return (
          callback && {
            id: callbackId(id, callback.callback.delivery),
            state: callback.callback.state,
            body: JSON.parse(callbackBody(callback.job)),
          }
        )
      }
      await desk.database.orm.update(verificationCallback).set({ state: 'delivered', nextAt: null })
      const first = await callback()
      expect(first).toMatchObject({ id: `msg_${id}`, body: { data: { outcome: 'pending_review' } } })
      await people.claim(awa, id)
      await people.decide(awa, id)
      await people.decide(awa, id)
      const second = await callback()
      expect(second).toMatchObject({
        id: `msg_${id}_2`,
        state: 'pending',
        body: { type: 'verification.job.completed', data: { outcome: 'verified' } },
      })
      expect(second?.body.timestamp > first?.body.timestamp).toBe(true)
      expect(jobOfCallback(second?.id ?? '')).toBe(id)
    })

    it('sends no callback after the receiver has answered 410', async () => {
      const id = await desk.pending('CIT-1', { callbackUrl: 'https://bank.test/callback' })
      await desk.database.orm.update(verificationCallback).set({ state: 'stopped', nextAt: null })
      await people.claim(awa, id)
      expect((await people.decide(awa, id)).data?.decideReview.settled).toBe(true)
      const [callback] = await listCallbacks(desk.database, 'all', { jobIds: [id] }, { limit: 1 })
      expect(callback?.callback).toMatchObject({ state: 'stopped', delivery: 1 })
    })
  })

  describe(`an interrupted decision on ${engine.name}`, () => {
    let desk: ReviewDesk
    let breaks: 'an engine' | 'the connection' | undefined
    beforeAll(async () => {
      const append =
        (feed: EventFeed): EventFeed['append'] =>
        async (...args) => {
          if (breaks === 'an engine') throw new EngineUnavailable('database')
          const position = await feed.append(...args)
          // the database’s view of a process that is killed before it commits
          if (breaks === 'the connection') await args[0].execute(sql`select pg_terminate_backend(pg_backend_pid())`)
          return position
        }
      desk = await openReviewDesk(engine, { feed: (feed) => ({ ...feed, append: append(feed) }) })
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())

    it.each(['an engine', 'the connection'] as const)(
      'by a failure of %s changes nothing, and is recorded once when it is sent again',
      async (failure) => {
        const people = calls(desk)
        await desk.database.orm.delete(verificationJob)
        const id = await desk.pending()
        await people.claim(awa, id)
        breaks = failure
        expect(['ENGINE_UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain((await people.decide(awa, id, 'VERIFIED', 'CONFIRMED', 'a note')).code)
        breaks = undefined
        expect(await people.records(id)).toEqual(['result', 'review', 'submission'])
        expect(await people.poll()).toMatchObject([{ outcome: 'PENDING_REVIEW', review: null }])
        expect(await people.audited(id)).not.toContain('awa verification.review.decide')
        expect((await people.decide(awa, id, 'VERIFIED', 'CONFIRMED', 'a note')).data?.decideReview.settled).toBe(true)
        expect((await people.decide(awa, id, 'VERIFIED', 'CONFIRMED', 'a note')).data?.decideReview.settled).toBe(true)
        expect(await people.poll()).toMatchObject([{ outcome: 'VERIFIED' }])
        expect((await people.decisions(awa, id)).data?.reviewDecisions).toHaveLength(1)
        expect((await people.audited(id)).filter((line) => line === 'awa verification.review.decide')).toHaveLength(1)
      },
    )
  })

  describe(`a decision that can be undone on ${engine.name}`, () => {
    let desk: ReviewDesk
    let people: ReturnType<typeof calls>
    beforeAll(async () => {
      desk = await openReviewDesk(engine, { undoMinutes: 10 })
      people = calls(desk)
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    beforeEach(() => desk.database.orm.delete(verificationJob))
    const rejected = async (): Promise<string> => {
      const id = await desk.pending()
      await people.claim(awa, id)
      expect((await people.decide(awa, id, 'REJECTED', 'OTHER_PERSON', 'ears differ')).data?.decideReview.settled).toBe(true)
      return id
    }
    const endHold = (id: string) =>
      desk.database.orm
        .update(verificationReview)
        .set({ heldUntil: sql`now() - interval '1 second'` })
        .where(eq(verificationReview.jobId, id))

    it('has no result, event or erasure of images before its hold ends', async () => {
      const from = await desk.feed.position('verification', never)
      const id = await rejected()
      expect(await desk.feed.position('verification', never)).toBe(from + 1)
      expect(await people.records(id)).toEqual(['notes', 'result', 'review', 'submission'])
      expect(await people.poll()).toMatchObject([{ outcome: 'PENDING_REVIEW', review: null }])
      expect((await people.own(awa)).data?.ownReviewDecisions).toMatchObject([{ decision: 'REJECTED', state: 'HELD' }])
      expect(await people.claim(bineta, id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('undo') })
      expect(await desk.completeDue()).toBe(0)

      await endHold(id)
      expect(await desk.completeDue()).toBe(1)
      expect(await desk.feed.position('verification', never)).toBe(from + 2)
      expect(await people.records(id)).toEqual(['notes', 'result'])
      expect(await people.poll()).toMatchObject([{ outcome: 'REJECTED', review: { reason: 'OTHER_PERSON' } }])
      expect((await people.own(awa)).data?.ownReviewDecisions).toMatchObject([{ state: 'DECIDED', heldUntil: null }])
      expect(await people.undo(awa, id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('sent') })
      expect(await desk.completeDue()).toBe(0)
    })

    it('returns to its reviewer with the note when undone, and can be decided otherwise', async () => {
      const id = await rejected()
      expect(await people.undo(bineta, id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Another reviewer') })
      expect((await people.undo(awa, id)).data?.undoReviewDecision).toEqual({ note: 'ears differ', review: { claim: { isMine: true } } })
      expect(await people.records(id)).toEqual(['result', 'review', 'submission'])
      expect((await people.decide(awa, id)).data?.decideReview.settled).toBe(true)
      expect((await people.sendNow(awa, id)).data?.sendReviewDecision.job.id).toBe(id)
      expect(await people.poll()).toMatchObject([{ outcome: 'VERIFIED' }])
      expect((await people.decisions(awa, id)).data?.reviewDecisions).toMatchObject([{ decision: 'VERIFIED', note: null }])
      expect(await people.audited(id)).toEqual([
        'awa verification.review.claim',
        'awa verification.review.decide',
        'awa verification.review.undo',
        'awa verification.review.decide',
        'awa verification.review.send',
        'awa verification.review.decisions.read',
      ])
    })

    it('is not ended by the retention of images, but by the erasure of the citizen', async () => {
      const [kept, erased] = [await rejected(), await rejected()]
      expect(await expireReviews(desk.database, desk.vault, 0, never)).toBe(0)
      await desk.database.orm.delete(verificationJob).where(eq(verificationJob.id, erased))
      await Promise.all([endHold(kept), endHold(erased)])
      expect(await desk.completeDue()).toBe(1)
      expect(await people.undo(awa, erased)).toMatchObject({ code: 'NOT_FOUND' })
    })

    it('begins its hold after the second reviewer, where two must agree', async () => {
      await using both = await openReviewDesk(engine, { undoMinutes: 10, fourEyes: true })
      const two = calls(both)
      const id = await both.pending()
      await two.claim(awa, id)
      expect((await two.decide(awa, id)).data?.decideReview.settled).toBe(false)
      expect((await two.own(awa)).data?.ownReviewDecisions).toMatchObject([{ state: 'WAITING', heldUntil: null }])
      await two.claim(bineta, id)
      expect((await two.decide(bineta, id)).data?.decideReview.settled).toBe(true)
      expect((await two.own(awa)).data?.ownReviewDecisions).toMatchObject([{ state: 'HELD', heldUntil: expect.any(String) }])
      expect((await two.undo(bineta, id)).data?.undoReviewDecision.review.claim.isMine).toBe(true)
      expect((await two.own(awa)).data?.ownReviewDecisions).toMatchObject([{ state: 'WAITING' }])
    })

    it('requests better photographs: the outcome stays, with this reason first', async () => {
      const id = await desk.pending()
      await people.claim(awa, id)
      expect(await people.decide(awa, id, 'BETTER_PHOTOGRAPHS', 'OTHER')).toMatchObject({ code: 'BAD_USER_INPUT' })
      expect((await people.decide(awa, id, 'BETTER_PHOTOGRAPHS', 'BETTER_PHOTOGRAPHS')).data?.decideReview.settled).toBe(true)
      await people.sendNow(awa, id)
      expect(await people.records(id)).toEqual(['result'])
      expect(await people.poll()).toMatchObject([
        {
          outcome: 'PENDING_REVIEW',
          review: { reason: 'BETTER_PHOTOGRAPHS' },
          crossValidations: { reasons: ['BETTER_PHOTOGRAPHS', 'FACE_MISMATCH'] },
        },
      ])
      expect((await people.queue(awa)).data?.reviewQueue.nodes).toEqual([])
    })

    it('is part of a history that outlives the acknowledged result for administrators only', async () => {
      const id = await rejected()
      await people.sendNow(awa, id)
      await people.poll()
      expect(await people.acknowledge(id)).toBe(1)
      expect(await people.history(id)).toMatchObject({
        outcome: 'REJECTED',
        acknowledgedAt: expect.any(String),
        reasons: ['FACE_MISMATCH'],
        failure: null,
        result: null,
        timeline: [
          { kind: 'SUBMITTED', service: 'bank' },
          { kind: 'CHECKED', outcome: 'PENDING_REVIEW' },
          { kind: 'TAKEN', administrator: { id: 'awa' } },
          { kind: 'DECIDED', decision: 'REJECTED', reason: 'OTHER_PERSON', note: 'ears differ', administrator: { id: 'awa' } },
          { kind: 'COMPLETED', outcome: 'REJECTED' },
          { kind: 'FETCHED', service: 'bank' },
          { kind: 'ACKNOWLEDGED', service: 'bank' },
        ],
      })
      const text = 'query ($id: ID!) { verificationJob(id: $id) { reasons } }'
      expect(await desk.execute(text, { id }, 'service')).toMatchObject({ code: 'FORBIDDEN' })
      const acknowledgedDaysAgo = (days: number) =>
        desk.database.orm.execute(
          sql`update verification_job set acknowledged_at = now() - make_interval(days => ${days}) where id = ${id}`,
        )
      const status = 'query ($id: ID!) { verificationJob(id: $id) { id } }'
      await acknowledgedDaysAgo(31)
      await removeOldJobs(desk.database, desk.vault, { resultDays: undefined, outcomeDays: 90 }, never)
      expect((await desk.execute(status, { id }, 'service')).data).toEqual({ verificationJob: null })
      expect(await people.history(id)).toMatchObject({ reasons: ['FACE_MISMATCH'] })
      await acknowledgedDaysAgo(8)
      await removeOldJobs(desk.database, desk.vault, { resultDays: undefined, outcomeDays: 7 }, never)
      expect(await people.history(id)).toMatchObject({ outcome: 'REJECTED', reasons: null })
      await acknowledgedDaysAgo(91)
      await removeOldJobs(desk.database, desk.vault, { resultDays: undefined, outcomeDays: 90 }, never)
      expect(await people.history(id)).toBe(null)
    })
  })

  describe(`the review by two reviewers on ${engine.name}`, () => {
    let desk: ReviewDesk
    let people: ReturnType<typeof calls>
    beforeAll(async () => {
      desk = await openReviewDesk(engine, { fourEyes: true })
      people = calls(desk)
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    const decided = async (person: Person, id: string, decision: string, note?: string): Promise<boolean | undefined> => {
      expect((await people.claim(person, id)).code).toBeUndefined()
      return (await people.decide(person, id, decision, undefined, note)).data?.decideReview.settled
    }
    const outcomes = async (id: string) => (await people.poll()).filter(({ job }) => job.id === id).map(({ outcome }) => outcome)

    it('is settled when two decide alike, the second without seeing the first decision', async () => {
      const id = await desk.pending()
      expect(await decided(awa, id, 'VERIFIED', 'first')).toBe(false)
      expect(await outcomes(id)).toEqual(['PENDING_REVIEW'])
      expect((await people.decisions(bineta, id)).data?.reviewDecisions).toEqual([])
      expect(await decided(bineta, id, 'VERIFIED', 'second')).toBe(true)
      expect(await outcomes(id)).toEqual(['VERIFIED'])
      expect((await people.decisions(bineta, id)).data?.reviewDecisions.map(({ note }) => note)).toEqual(['first', 'second'])
    })

    it('never counts one person twice', async () => {
      const id = await desk.pending()
      expect(await decided(awa, id, 'VERIFIED')).toBe(false)
      expect((await people.decide(awa, id)).data?.decideReview.settled).toBe(false)
      expect(await people.claim(awa, id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('another reviewer') })
      expect((await people.queue(awa)).data?.reviewQueue.nodes.map(({ job }) => job.id)).not.toContain(id)
      expect((await people.queue(bineta)).data?.reviewQueue.nodes.map(({ job }) => job.id)).toContain(id)
    })

    it('requires a third reviewer when two differ', async () => {
      const id = await desk.pending()
      expect(await decided(awa, id, 'VERIFIED')).toBe(false)
      expect(await decided(bineta, id, 'REJECTED')).toBe(false)
      expect(await outcomes(id)).toEqual(['PENDING_REVIEW'])
      expect(await decided(chidi, id, 'REJECTED')).toBe(true)
      expect(await outcomes(id)).toEqual(['REJECTED'])
    })
  })
}
