import { afterAll, beforeAll, expect, it } from 'vitest'
import { visibilityOf } from '../../../subgraphs/verification/access/visibility.ts'
import { type FinishedJobFilter, finishedJobs, startedJobs } from '../../../subgraphs/verification/jobs/finished-jobs.ts'
import { embeddedEngine } from '../../support/engines/engines.ts'
import { openReviewDesk, type ReviewDesk } from '../../support/rest/review.ts'

let desk: ReviewDesk
let ids: readonly string[]
beforeAll(async () => {
  desk = await openReviewDesk(embeddedEngine)
  ids = [
    await desk.pending('CIT-A', { keepsForReview: false }),
    await desk.pending('CIT-B', { keepsForReview: false }),
    await desk.pending('CIT-A', { keepsForReview: false }),
  ]
})
afterAll(() => desk?.[Symbol.asyncDispose]())

/** Ids of the jobs in the events from the start, until the last job that matches. */
async function followed(
  follow: typeof finishedJobs | typeof startedJobs,
  wanted: FinishedJobFilter,
  last: string | undefined,
): Promise<readonly string[]> {
  const visibility = visibilityOf({ service: { name: 'bank', scopes: ['submit', 'results'] } })
  const received: string[] = []
  for await (const { job } of follow(desk, visibility, 0, AbortSignal.timeout(60_000), wanted)) {
    received.push(job?.id ?? '')
    if (job?.id === last) break
  }
  return received
}

it.each([
  ['finished', finishedJobs],
  ['started', startedJobs],
] as const)('restricts %s jobs to a job or a citizen; emits all jobs without a restriction', async (_, follow) => {
  expect(await followed(follow, {}, ids[2])).toEqual(ids)
  expect(await followed(follow, { citizenCode: 'CIT-A' }, ids[2])).toEqual([ids[0], ids[2]])
  expect(await followed(follow, { jobId: ids[1] }, ids[1])).toEqual([ids[1]])
  expect(await followed(follow, { jobId: ids[2], citizenCode: 'CIT-A' }, ids[2])).toEqual([ids[2]])
})
