import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedEngine } from '../../support/engines/engines.ts'
import { jpegOf, openReviewDesk, type ReviewDesk } from '../../support/rest/review.ts'

const submit = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'
const submitBatch = 'mutation ($input: SubmitVerificationBatchInput!) { submitVerificationBatch(input: $input) { total } }'
const image = jpegOf('a person').toString('base64')
const valid = {
  citizenCode: 'CIT-1',
  documentType: 'CNI',
  countryCode: 'sn',
  selfie: image,
  documentFront: `data:image/jpeg;base64,${image}`,
  declaredIdentity: { firstName: 'آوا', lastName: "N'Diaye", dateOfBirth: '14 juillet 1987', gender: 'F', nationality: 'SEN' },
  callbackUrl: 'https://example.org/done',
}
const wrong = {
  citizenCode: ' \u200b',
  documentType: 'CNI',
  countryCode: 'Zz',
  selfie: '',
  documentFront: '%%%',
  documentBack: 'x'.repeat(8 * 1024 * 1024),
  declaredIdentity: { firstName: '', lastName: '--', dateOfBirth: 'soon', nationality: 'Wakanda' },
  callbackUrl: 'ftp://example.org',
}
const wrongMembers = [
  ['blank', 'citizenCode'],
  ['unknown', 'countryCode'],
  ['too_short', 'selfie'],
  ['not_base64', 'documentFront'],
  ['too_long', 'documentBack'],
  ['blank', 'declaredIdentity', 'firstName'],
  ['blank', 'declaredIdentity', 'lastName'],
  ['not_a_date', 'declaredIdentity', 'dateOfBirth'],
  ['unknown', 'declaredIdentity', 'nationality'],
  ['not_a_public_url', 'callbackUrl'],
]
type Entry = { readonly code: string; readonly path: readonly (string | number)[] }
const named = (entries: readonly object[] = []) => (entries as readonly Entry[]).map(({ code, path }) => [code, ...path])

describe('a submission', () => {
  let desk: ReviewDesk
  beforeAll(async () => {
    desk = await openReviewDesk(embeddedEngine)
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  it('over the graph is accepted with valid members in any script and notation', async () => {
    expect(await desk.execute(submit, { input: valid }, 'service')).toMatchObject({
      data: { submitVerification: { job: { id: expect.any(String) } } },
    })
  })

  it('over the graph is refused with one entry for each invalid member, chip, frames and key included', async () => {
    const chip = { sod: '%', dg1: 'AA==', dg2: 'AA==' }
    const liveness = { nonce: 'n', frames: [] }
    const refused = await desk.execute(submit, { input: { ...wrong, idempotencyKey: '', chip, liveness } }, 'service')
    expect([refused.data, refused.code]).toEqual([{ submitVerification: null }, 'BAD_USER_INPUT'])
    expect(named(refused.entries)).toEqual([
      ['wrong_pattern', 'idempotencyKey'],
      ...wrongMembers,
      ['not_base64', 'chip', 'sod'],
      ['too_short', 'liveness', 'frames'],
    ])
    expect(JSON.stringify(refused)).not.toMatch(/_b64|%%%|Wakanda/)
  })

  it('of several jobs reports the invalid members of each job, and accepts no job', async () => {
    const before = (await desk.execute<{ verificationQueue: { depth: number } }>('{ verificationQueue { depth } }', {}, 'service')).data
    const refused = await desk.execute(submitBatch, { input: { jobs: [wrong, valid, { ...valid, selfie: '' }] } }, 'service')
    expect(named(refused.entries)).toEqual([
      ...wrongMembers.map(([code, ...path]) => [code, 'jobs', 0, ...path]),
      ['too_short', 'jobs', 2, 'selfie'],
    ])
    expect((await desk.execute('{ verificationQueue { depth } }', {}, 'service')).data).toEqual(before)
  })

  it('over REST is accepted as documented, with any strings', async () => {
    const reply = await desk.post('/jobs/submit', {
      citizen_code: wrong.citizenCode,
      document_type: 'CNI',
      country_code: wrong.countryCode,
      selfie_b64: '',
      cni_recto_b64: '%%%',
      declared_identity: { first_name: '', last_name: '', date_of_birth: 'soon', nationality: 'Wakanda' },
      callback_url: 'ftp://example.org',
    })
    expect([reply.status, reply.json()]).toEqual([202, expect.objectContaining({ status: 'queued' })])
  })

  it.each(['startChipChallenge', 'startLivenessChallenge'])('of a blank citizen code is refused by %s', async (field) => {
    const text = `mutation ($code: String!) { ${field}(input: {citizenCode: $code}) { challenge { nonce } } }`
    expect(named((await desk.execute(text, { code: ' ' }, 'service')).entries)).toEqual([['blank', 'citizenCode']])
  })

  it('that failed names the member in the terms of the graph, beside the sentence of REST', async () => {
    const failureReason = 'invalid_base64: The content is not base64 (cni_verso_b64)'
    const verdict = { outcome: 'error', failureReason, crossValidations: null, scores: null } as const
    const id = await desk.pending('CIT-2', { verdict, keepsForReview: false })
    const { data } = await desk.execute(
      'query ($id: ID!) { verificationJob(id: $id) { result { failureReason failure { code field message } } } }',
      { id },
      'service',
    )
    const failure = { code: 'invalid_base64', field: 'documentBack', message: 'The content is not base64' }
    expect(data).toEqual({ verificationJob: { result: { failureReason, failure } } })
  })
})
