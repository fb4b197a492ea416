import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anonymous, type Principal } from '../../../foundation/principal.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { openReviewDesk, type ReviewDesk } from '../../support/rest/review.ts'

const person = (...roles: readonly string[]): Principal => ({
  user: { issuer: 'https://issuer.test', subject: 'p', groups: ['default'], expiresAt: 4e9, roles },
})
const service = (name: string, ...scopes: readonly string[]): Principal => ({ service: { name, scopes } })

for (const engine of relationalEngines())
  describe(`entity references of verification on ${engine.name}`, () => {
    let desk: ReviewDesk
    let job: string
    beforeAll(async () => {
      desk = await openReviewDesk(engine)
      job = await desk.pending('CIT-1', { callbackUrl: 'https://bank.test/callback' })
    })
    afterAll(() => desk?.[Symbol.asyncDispose]())

    const referencesFor = async (principal: Principal) => {
      const keys = [
        { __typename: 'VerificationJob', id: job },
        { __typename: 'CallbackDelivery', id: `msg_${job}` },
        { __typename: 'CallbackDelivery', id: `msg_${job}_2` },
        { __typename: 'CallbackDelivery', id: job },
        { __typename: 'VerificationBatch', id: job },
      ]
      const { data, errors } = await desk.refer(keys, principal)
      expect(errors).toBeUndefined()
      return ((data?._entities ?? []) as readonly ({ readonly __typename: string } | null)[]).map((each) => each?.__typename ?? null)
    }
    const there = ['VerificationJob', 'CallbackDelivery', null, null, null]
    const nothing = [null, null, null, null, null]

    it.each([
      ['the service that owns them', service('bank', 'submit', 'results'), there],
      ['a key for all results', service('identity', 'results:all'), there],
      ['a super_admin', person('super_admin'), there],
    ])('is visible to %s', async (_, principal, expected) => {
      expect(await referencesFor(principal)).toEqual(expected)
    })

    it.each([
      ['another service', service('other', 'submit', 'results')],
      ['a service without the scope', service('bank', 'votes:write')],
      ['a group_admin', person('group_admin')],
      ['a reviewer', person('reviewer')],
      ['a citizen', person()],
      ['an anonymous caller', anonymous],
    ])('is null for %s, without an error', async (_, principal) => {
      expect(await referencesFor(principal)).toEqual(nothing)
    })
  })
