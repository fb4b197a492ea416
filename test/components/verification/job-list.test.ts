import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../engines/relational/drizzle.ts'
import { citizenOutcomes } from '../../../subgraphs/verification/citizen-data.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { openReviewDesk, type Person, type ReviewDesk, uncertain } from '../../support/rest/review.ts'

const listing = `query ($filter: VerificationJobFilterInput, $first: Int, $after: String, $last: Int) {
  verificationJobs(filter: $filter, first: $first, after: $after, last: $last) {
    totalCount
    pageInfo { endCursor hasNextPage }
    nodes { id status outcome citizen { code } }
  }
}`
const admin: Person = { subject: 'admin', roles: ['super_admin'] }

interface Listed {
  readonly verificationJobs: {
    readonly totalCount: number
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
    readonly nodes: readonly { readonly id: string; readonly citizen: { readonly code: string } }[]
  }
}

for (const engine of relationalEngines())
  describe(`the list of verifications on ${engine.name}`, () => {
    let desk: ReviewDesk
    beforeAll(async () => {
      desk = await openReviewDesk(engine)
      for (const [code, outcome] of [
        ['CIT-1', 'verified'],
        ['CIT-2', 'rejected'],
        ['CIT-3', 'rejected'],
      ] as const)
        await desk.pending(code, { verdict: { ...uncertain, outcome } })
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())
    const codes = async (variables: object): Promise<readonly string[] | undefined> =>
      (await desk.execute<Listed>(listing, variables, admin)).data?.verificationJobs.nodes.map(({ citizen }) => citizen.code)

    it('has the jobs of all services, newest first, by outcome, page by page; each read is audited', async () => {
      expect(await codes({})).toEqual(['CIT-3', 'CIT-2', 'CIT-1'])
      expect(await codes({ filter: { outcome: 'REJECTED' } })).toEqual(['CIT-3', 'CIT-2'])
      expect(await codes({ filter: { status: 'QUEUED' } })).toEqual([])
      expect(await codes({ filter: { status: 'COMPLETED', outcome: 'VERIFIED' } })).toEqual(['CIT-1'])
      expect(await codes({ last: 1 })).toEqual(['CIT-1'])
      const { data } = await desk.execute<Listed>(listing, { first: 2 }, admin)
      expect([data?.verificationJobs.pageInfo.hasNextPage, data?.verificationJobs.totalCount]).toEqual([true, 3])
      expect(await codes({ after: data?.verificationJobs.pageInfo.endCursor })).toEqual(['CIT-1'])
      const audit = await desk.database.orm.execute(
        sql`select details from audit_record where action = 'verification.jobs.read' order by id`,
      )
      expect(audit.rows[0]).toMatchObject({ details: { jobs: expect.any(Array) } })
    })

    it('is restricted to a citizen, a country and a time of submission', async () => {
      const [past, future] = [new Date(Date.now() - 3_600_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString()]
      expect(await codes({ filter: { citizenCode: 'CIT-2' } })).toEqual(['CIT-2'])
      expect(await codes({ filter: { countryCode: 'NOWHERE' } })).toEqual([])
      expect(await codes({ filter: { from: past, to: future } })).toEqual(['CIT-3', 'CIT-2', 'CIT-1'])
      expect(await codes({ filter: { from: future } })).toEqual([])
      expect(await codes({ filter: { to: past } })).toEqual([])
    })

    it('has outcomes for the register of citizens, with the expiry of the document of a verified citizen', async () => {
      const clear = { result: 'clear' } as const
      const documentExpiration = { ...clear, properties: [{ key: 'date', text: '2031-02-28' }] }
      const dataValidation = { mrz: clear, documentNumbers: clear, dateOfBirth: clear, documentExpiration }
      const read = async (outcome: 'verified' | 'rejected') =>
        desk.pending(`read ${outcome}`, { verdict: { ...uncertain, outcome, crossValidations: { reasons: [], dataValidation } } })
      const ids = [await read('verified'), await read('rejected'), await desk.pending('waiting')]
      const outcomes = citizenOutcomes(desk.database)
      expect(await outcomes.of([...ids, 'unknown'])).toEqual(
        expect.arrayContaining([
          { jobId: ids[0], code: 'read verified', outcome: 'verified', at: expect.any(Date), expiresOn: '2031-02-28' },
          { jobId: ids[1], code: 'read rejected', outcome: 'rejected', at: expect.any(Date), expiresOn: null },
          { jobId: ids[2], code: 'waiting', outcome: 'pending_review', at: expect.any(Date), expiresOn: null },
        ]),
      )
      const all = await outcomes.after(undefined, 100)
      expect(await outcomes.after(all.at(-3)?.jobId, 100)).toEqual(all.slice(-2))
      expect((await outcomes.after(undefined, 2)).map(({ jobId }) => jobId)).toEqual(all.slice(0, 2).map(({ jobId }) => jobId))
    })

    it('is visible to super_admins only, and rejects a cursor of another list by its argument', async () => {
      const listJobs = async (variables: object, principal: Person | 'service') => {
        const { data, code, entries } = await desk.execute<Listed>(listing, variables, principal)
        return [data?.verificationJobs ?? null, code, entries]
      }
      expect(await listJobs({}, 'service')).toEqual([null, 'FORBIDDEN', undefined])
      expect(await listJobs({}, { subject: 'r', roles: ['reviewer'] })).toEqual([null, 'FORBIDDEN', undefined])
      const { data } = await desk.execute<Listed>(listing, { first: 1, filter: { outcome: 'REJECTED' } }, admin)
      expect(data?.verificationJobs.totalCount).toBe(3)
      for (const after of ['WzEsMl0', 'WyJhIl0', data?.verificationJobs.pageInfo.endCursor])
        expect(await listJobs({ after }, admin)).toMatchObject([null, 'MALFORMED', [{ path: ['after'] }]])
    })
  })
