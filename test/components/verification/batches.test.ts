import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../engines/relational/drizzle.ts'
import { verificationJob } from '../../../subgraphs/verification/tables.ts'
import { embeddedEngine } from '../../support/engines/engines.ts'
import { openReviewDesk, type ReviewDesk } from '../../support/rest/review.ts'

interface Batch {
  readonly id: string
  readonly jobs: {
    readonly nodes: readonly { readonly id: string; readonly citizen: { readonly code: string }; readonly batch: { readonly id: string } }[]
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
  }
}
const submit = 'mutation ($input: SubmitVerificationBatchInput!) { submitVerificationBatch(input: $input) { batch { id } jobs { id } } }'
const fields = 'id jobs(first: 2, after: $after) { nodes { id citizen { code } batch { id } } pageInfo { endCursor hasNextPage } }'
const find = `query ($id: ID!, $after: String) { verificationBatch(id: $id) { ${fields} } }`
const image = Buffer.from('none that can be looked at').toString('base64')
const codes = ['CIT-1', 'CIT-2', 'CIT-3']

describe('a batch of verifications', () => {
  let desk: ReviewDesk
  let batch: string
  let jobs: readonly string[]
  beforeAll(async () => {
    desk = await openReviewDesk(embeddedEngine)
    const { data } = await desk.execute<{ submitVerificationBatch: { batch: { id: string }; jobs: { id: string }[] } }>(
      submit,
      {
        input: {
          jobs: codes.map((citizenCode) => ({
            citizenCode,
            documentType: 'CNI',
            countryCode: 'SN',
            selfie: image,
            documentFront: image,
            declaredIdentity: { firstName: 'A', lastName: 'B' },
          })),
        },
      },
      'service',
    )
    batch = data?.submitVerificationBatch.batch.id ?? ''
    jobs = data?.submitVerificationBatch.jobs.map(({ id }) => id) ?? []
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())
  const batchesFor = async (variables: object, principal: 'service' | { subject: string; roles: string[] } = 'service') =>
    (await desk.execute<{ verificationBatch: Batch | null }>(find, variables, principal)).data?.verificationBatch

  it('returns its jobs in the order of submission, page by page, and each job returns its batch', async () => {
    const first = await batchesFor({ id: batch })
    expect(first?.jobs.nodes).toEqual([0, 1].map((n) => ({ id: jobs[n], citizen: { code: codes[n] }, batch: { id: batch } })))
    expect(first?.jobs.pageInfo.hasNextPage).toBe(true)
    const second = await batchesFor({ id: batch, after: first?.jobs.pageInfo.endCursor })
    expect(second?.jobs.nodes.map(({ id }) => id)).toEqual([jobs[2]])
    expect(second?.jobs.pageInfo.hasNextPage).toBe(false)
    const { data } = await desk.execute<{ verificationBatch: Batch }>(
      'query ($id: ID!) { verificationBatch(id: $id) { id jobs(last: 2) { nodes { id } pageInfo { hasPreviousPage } } } }',
      { id: batch },
      'service',
    )
    expect(data?.verificationBatch.jobs).toEqual({ nodes: [{ id: jobs[1] }, { id: jobs[2] }], pageInfo: { hasPreviousPage: true } })
  })

  it('is null for callers without access to its jobs, and for invalid ids', async () => {
    expect(await batchesFor({ id: batch }, { subject: 'ada', roles: ['super_admin'] })).toMatchObject({ id: batch })
    expect(await desk.execute(find, { id: batch }, { subject: 'rama', roles: ['reviewer'] })).toMatchObject({ code: 'FORBIDDEN' })
    for (const id of ['', '\u0000', 'x', '01a1fc10-e529-7701-8213-412bbc7c3eb1']) expect(await batchesFor({ id })).toBeNull()
    await desk.database.orm.update(verificationJob).set({ owner: 'another key' }).where(sql`true`)
    expect(await batchesFor({ id: batch })).toBeNull()
  })
})
