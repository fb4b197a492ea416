import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Step } from '../../../subgraphs/verification/vocabulary.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { Platform, System } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { setups, startSystem } from '../../support/processes/start-system.ts'
import { framesOf, photographOf } from '../../support/samples/challenge-frames.ts'
import { drawnPerson } from '../../support/samples/people.ts'

interface Answer<Data> {
  readonly data: Data | null
  readonly errors?: readonly { readonly extensions: { readonly entries?: readonly unknown[] } }[]
}

const start = 'mutation { startLivenessChallenge(input: { citizenCode: "LIVE-1" }) { challenge { nonce steps } } }'
const submit = 'mutation ($input: SubmitVerificationInput!) { submitVerification(input: $input) { job { id } } }'
const jobQuery = `query ($id: ID!) { verificationJob(id: $id) { outcome result { crossValidations { reasons
  liveness { result properties { key text } breakdown { name result } } } } } }`
const live = { key: 'verdict', text: 'live' }

describe.each(setups())('a liveness challenge, $name', ({ layout, engines }) => {
  let own: System | undefined
  let system: Platform
  beforeAll(async () => {
    if (layout !== 'one') own = await startSystem({ layout, engines, components: ['verification'] })
    system = own ?? (await sharedPlatform('one'))
  })
  afterAll(() => own?.stop())

  const send = async <Data>(query: string, variables: object = {}): Promise<Answer<Data>> => {
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': system.apiKey },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer<Data>
  }
  const started = async (): Promise<{ readonly nonce: string; readonly steps: readonly Step[] }> => {
    const { data } = await send<{ startLivenessChallenge: { challenge: { nonce: string; steps: string[] } } }>(start)
    const { nonce, steps } = data?.startLivenessChallenge.challenge ?? expect.fail('no challenge')
    return { nonce, steps: steps.map((step) => step.toLowerCase() as Step) }
  }
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const inputOf = async (nonce: string, frames: readonly Uint8Array[]) => {
    const { holder, selfie, front, back } = await drawnPerson(5)
    return {
      citizenCode: 'LIVE-1',
      documentType: 'NATIONAL_ID',
      countryCode: holder.issuingCountry,
      selfie: base64(selfie),
      documentFront: base64(front),
      ...(back && { documentBack: base64(back) }),
      declaredIdentity: { firstName: holder.firstName, lastName: holder.lastName, dateOfBirth: holder.dateOfBirth },
      liveness: { nonce, frames: frames.map((frame, index) => ({ image: base64(frame), atMs: index * 10 })) },
    }
  }
  const judged = async (input: object): Promise<unknown> => {
    const { data } = await send<{ submitVerification: { job: { id: string } } }>(submit, { input })
    const id = data?.submitVerification.job.id ?? ''
    await new VerificationClient(system).untilFinished([id])
    return (await send<{ verificationJob: unknown }>(jobQuery, { id })).data?.verificationJob
  }

  it('passed by a person reports live, and its nonce is not accepted again', { timeout: 120_000 }, async () => {
    const { nonce, steps } = await started()
    const input = await inputOf(nonce, await framesOf(5, steps))
    // independent of the result for the drawn document
    expect(await judged(input)).toMatchObject({
      result: {
        crossValidations: {
          reasons: expect.not.arrayContaining([expect.stringMatching(/^CHALLENGE_/)]),
          liveness: { result: 'CLEAR', properties: expect.arrayContaining([live]) },
        },
      },
    })
    expect((await send(submit, { input })).errors?.[0]?.extensions.entries).toMatchObject([
      { code: 'challenge_used', path: ['liveness', 'nonce'] },
    ])
  })

  it('answered with a photograph is left to review, and does not report live', { timeout: 120_000 }, async () => {
    const { nonce, steps } = await started()
    expect(await judged(await inputOf(nonce, await photographOf(5, steps)))).toMatchObject({
      outcome: 'PENDING_REVIEW',
      result: {
        crossValidations: {
          reasons: expect.arrayContaining(['CHALLENGE_FLAT']),
          liveness: { result: 'CONSIDER', properties: expect.not.arrayContaining([live]) },
        },
      },
    })
  })
})
