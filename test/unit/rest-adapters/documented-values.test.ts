import { expect, it } from 'vitest'
import { jobResultData } from '../../../rest-adapters/verification/job-result.ts'

const result = {
  job: { id: 'j', citizen: { code: 'c' } },
  status: 'COMPLETED',
  outcome: 'VERIFIED',
  completed_at: '2026-11-27T12:00:00.000Z',
  processing_time_ms: 5,
  failure_reason: null,
  cross_validations: null,
  scores: null,
}

it('REST answers a documented value in place of one that only a newer release of the subgraph knows', () => {
  expect(jobResultData.parse(result)).toMatchObject({ status: 'completed', outcome: 'verified' })
  expect(jobResultData.parse({ ...result, outcome: 'DEFERRED', status: 'ARCHIVED' })).toMatchObject({
    status: 'completed',
    outcome: 'pending_review',
  })
})
