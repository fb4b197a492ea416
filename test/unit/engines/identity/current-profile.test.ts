import { UnsecuredJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { currentProfiles, type ProfileSource } from '../../../../engines/identity/current-profile.ts'
import type { IssuerAnswer } from '../../../../engines/identity/oidc-identity-provider.ts'
import { codeOf, EngineUnavailable, Unauthenticated } from '../../../../foundation/fault.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import type { Principal, UserPrincipal } from '../../../../foundation/principal.ts'
import { principalTokens } from '../../../../gateway/sources/principal-token.ts'
import { SessionResolver } from '../../../../subgraphs/administration/graphql/session.resolver.ts'
import { claimNames } from '../../../support/engines/embedded-identity.ts'

const token = 'header.claims.signature'
const profile = { email: 'old@example.org', emailVerified: true, name: 'Old', givenName: null, familyName: null, locale: null }
const user: UserPrincipal = {
  ...{ issuer: 'https://issuer', subject: 'ada', roles: ['super_admin'], groups: ['north'], scopes: ['openid'], profile },
  expiresAt: 4_000_000_000,
}
const signal = AbortSignal.timeout(60_000)

let now: number
let requests: string[]
/** the response of the issuer, or the error of the request */
let answer: IssuerAnswer | Error | undefined
beforeEach(() => {
  now = 1_000_000
  requests = []
  answer = { status: 200, body: { sub: 'ada' } }
})

function verifierOf(source: ProfileSource, scopes: readonly string[] = ['openid']) {
  const respond = async (kind: string): Promise<IssuerAnswer | undefined> => {
    requests.push(kind)
    if (answer instanceof Error) throw answer
    return answer
  }
  return currentProfiles({
    tokens: {
      async verify(presented) {
        if (presented !== token) throw new Unauthenticated('The access token is invalid')
        return { ...user, scopes }
      },
    },
    issuer: { userInfo: () => respond('userinfo'), introspect: () => respond('introspection') },
    ...{ issuerUrl: 'https://issuer', audience: 'civigraph', claims: claimNames, source, clock: { now: () => now } },
  })
}

describe('UserInfo of an external issuer', () => {
  it('replaces the profile of the token, and roles and groups only if it names them', async () => {
    answer = { status: 200, body: { sub: 'ada', email: 'new@example.org', name: 'New' } }
    const verifier = verifierOf('userinfo')
    expect(await verifier.verify(token, signal)).toMatchObject({
      ...{ roles: ['super_admin'], groups: ['north'], session: expect.any(String) },
      profile: { email: 'new@example.org', name: 'New' },
    })
    now += 10_000
    answer = { status: 200, body: { sub: 'ada', [claimNames.roles]: ['reviewer'], [claimNames.groups]: [] } }
    expect(await verifier.verify(token, signal)).toMatchObject({ roles: ['reviewer'], groups: [], profile: { name: 'Old' } })
  })

  it('is requested once for concurrent requests, and again after four seconds', async () => {
    const verifier = verifierOf('userinfo')
    await Promise.all([1, 2, 3].map(() => verifier.verify(token, signal)))
    now += 3_900
    await verifier.verify(token, signal)
    expect(requests).toEqual(['userinfo'])
    now += 200
    await verifier.verify(token, signal)
    expect(requests).toHaveLength(2)
  })

  it('refuses a token that the issuer refuses, also while the issuer is unavailable afterwards', async () => {
    const verifier = verifierOf('userinfo')
    await verifier.verify(token, signal)
    now += 5_000
    answer = { status: 401, body: undefined }
    await expect(verifier.verify(token, signal)).rejects.toThrow('no longer accepts this access token')
    now += 5_000
    answer = new EngineUnavailable('identity service')
    await expect(verifier.verify(token, signal)).rejects.toThrow(Unauthenticated)
  })

  it('refuses an answer for another subject', async () => {
    answer = { status: 200, body: { sub: 'eve' } }
    await expect(verifierOf('userinfo').verify(token, signal)).rejects.toThrow('The identity provider answered for another subject')
  })

  it('counts for a minute, marked as stale, while the issuer is unavailable', async () => {
    const verifier = verifierOf('userinfo')
    expect((await verifier.verify(token, signal)).isProfileStale).toBeUndefined()
    answer = new EngineUnavailable('identity service')
    now += 50_000
    expect(await verifier.verify(token, signal)).toMatchObject({ isProfileStale: true, roles: ['super_admin'] })
    now += 10_001
    await expect(verifier.verify(token, signal)).rejects.toThrow(EngineUnavailable)
    answer = { status: 200, body: { sub: 'ada' } }
    now += 2_001
    expect((await verifier.verify(token, signal)).isProfileStale).toBeUndefined()
  })

  it.each([
    ['HTML', { status: 200, body: undefined }],
    ['a list', { status: 200, body: [] }],
    ['404', { status: 404, body: {} }],
  ])('is unavailable when the issuer answers with %s', async (_, wrong) => {
    answer = wrong
    await expect(verifierOf('userinfo').verify(token, signal)).rejects.toThrow(EngineUnavailable)
  })

  it('is not requested again for two seconds after a failure', async () => {
    answer = new EngineUnavailable('identity service')
    const verifier = verifierOf('userinfo')
    for (let count = 0; count < 5; count++) await expect(verifier.verify(token, signal)).rejects.toThrow(EngineUnavailable)
    expect(requests).toHaveLength(1)
  })

  it('is not requested for a token without the scope openid, nor for an invalid one, nor with OIDC_PROFILE=token', async () => {
    expect(await verifierOf('userinfo', ['email']).verify(token, signal)).toMatchObject({ roles: ['super_admin'] })
    await expect(verifierOf('userinfo').verify('a.b.c', signal)).rejects.toThrow(Unauthenticated)
    expect(await verifierOf('token').verify(token, signal)).toEqual(user)
    expect(requests).toEqual([])
  })

  it('leaves the claims of the token as they are at an issuer without UserInfo', async () => {
    answer = undefined
    expect(await verifierOf('userinfo').verify(token, signal)).toMatchObject({ roles: ['super_admin'], profile: { name: 'Old' } })
  })
})

describe('a stale profile', () => {
  const stale = { user: { ...user, isProfileStale: true } }

  it('is not returned by `me`', () => {
    const context = (principal: Principal) => Object.assign(Object.create(null), { principal }) as RequestContext
    // a query needs no sessions
    const resolver = new SessionResolver(Object.create(null))
    expect(() => resolver.me(context(stale))).toThrow(EngineUnavailable)
    expect(resolver.me(context({ user }))).toMatchObject({ id: 'ada', email: 'old@example.org' })
  })

  it('is marked in the token for subgraphs', async () => {
    const tokens = principalTokens(new Uint8Array(32).fill(1))
    const { principal } = tokens.verify(tokens.sign({ principal: stale, requestId: 'r' }, 'administration'), 'administration')
    expect(principal.user?.isProfileStale).toBe(true)
  })
})

describe('introspection at an external issuer', () => {
  const claims = { active: true, sub: 'ben', aud: ['account', 'civigraph'], exp: 2_000, iat: 900, email: 'ben@example.org' }

  it('accepts an opaque token', async () => {
    answer = { status: 200, body: { ...claims, [claimNames.roles]: ['reviewer'] } }
    expect(await verifierOf('introspection').verify('opaque', signal)).toMatchObject({
      ...{ issuer: 'https://issuer', subject: 'ben', roles: ['reviewer'], expiresAt: 2_000 },
      profile: { email: 'ben@example.org' },
    })
  })

  it('requests made-up tokens 16 at a time, with accepted ones before them', async () => {
    const asked: { readonly token: string; readonly respond: () => void }[] = []
    const verifier = currentProfiles({
      tokens: { verify: async () => user },
      issuer: {
        userInfo: async () => undefined,
        introspect: (presented) =>
          new Promise((resolve) => {
            const active = { active: true, sub: 'ada', aud: 'civigraph', exp: 4_000_000_000, iss: 'https://issuer' }
            const body = presented === 'real' ? active : { active: false }
            asked.push({ token: presented, respond: () => resolve({ status: 200, body }) })
          }),
      },
      ...{ issuerUrl: 'https://issuer', audience: 'civigraph', claims: claimNames, source: 'introspection', clock: { now: () => now } },
    })
    const respondTo = (count: number): void => {
      for (const { respond } of asked.splice(0, count)) respond()
    }
    const first = verifier.verify('real', signal)
    respondTo(1)
    expect(await first).toMatchObject({ subject: 'ada' })
    now += 5_000
    const madeUp = Array.from({ length: 300 }, (_, index) => verifier.verify(`made-up-${index}`, signal))
    const outcomes = Promise.allSettled(madeUp)
    const again = verifier.verify('real', signal)
    await expect.poll(() => asked.length).toBe(16)
    respondTo(1)
    await expect.poll(() => asked.at(-1)?.token).toBe('real')
    const all = setInterval(() => respondTo(16), 1)
    expect(await again).toMatchObject({ subject: 'ada' })
    const reasons = (await outcomes).map((outcome) => (outcome.status === 'rejected' ? codeOf(outcome.reason) : 'accepted'))
    clearInterval(all)
    expect(reasons.filter((code) => code === 'OVERLOADED')).toHaveLength(300 - 16 - 256)
    expect(reasons.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(16 + 256)
  })

  it('accepts a JWT that names neither user nor audience, such as a lightweight access token of Keycloak', async () => {
    answer = { status: 200, body: claims }
    const lightweight = new UnsecuredJWT({ exp: 2_000, typ: 'Bearer', azp: 'app' }).encode()
    expect(await verifierOf('introspection').verify(lightweight, signal)).toMatchObject({ subject: 'ben' })
    await expect(verifierOf('userinfo').verify(lightweight, signal)).rejects.toThrow('The access token is invalid')
    const full = new UnsecuredJWT({ exp: 2_000, sub: 'ben', aud: 'civigraph' }).encode()
    await expect(verifierOf('introspection').verify(full, signal)).rejects.toThrow('The access token is invalid')
  })

  it('refuses what the issuer calls malformed, and still accepts other tokens', async () => {
    const verifier = verifierOf('introspection')
    answer = { status: 400, body: { error: 'invalid_request' } }
    await expect(verifier.verify('nonsense', signal)).rejects.toThrow(Unauthenticated)
    answer = { status: 200, body: claims }
    expect(await verifier.verify('opaque', signal)).toMatchObject({ subject: 'ben' })
  })

  it('updates the claims of a JWT, and refuses it when it is not active', async () => {
    answer = { status: 200, body: { active: true, sub: 'ada', [claimNames.roles]: [] } }
    const verifier = verifierOf('introspection', [])
    expect(await verifier.verify(token, signal)).toMatchObject({ subject: 'ada', roles: [] })
    now += 5_000
    answer = { status: 200, body: { active: false } }
    await expect(verifier.verify(token, signal)).rejects.toThrow('no longer accepts this access token')
  })

  it.each([
    ['no subject', { sub: undefined }, 'has no subject'],
    ['another issuer', { iss: 'https://other' }, 'is of another issuer'],
    ['another audience', { aud: 'account' }, 'is for another audience'],
    ['no audience', { aud: undefined }, 'is for another audience'],
    ['no end', { exp: undefined }, 'has expired'],
    ['an end in the past', { exp: 999 }, 'has expired'],
    ['the kind of a refresh token', { typ: 'Refresh' }, 'is not an access token'],
  ])('refuses an opaque token with %s', async (_, other, sentence) => {
    answer = { status: 200, body: { ...claims, ...other } }
    await expect(verifierOf('introspection').verify('opaque', signal)).rejects.toThrow(sentence)
  })

  it.each([
    ['refuses the client', { status: 401, body: {} }],
    ['answers without active', { status: 200, body: { sub: 'ben' } }],
  ])('is unavailable when the issuer %s', async (_, wrong) => {
    answer = wrong
    await expect(verifierOf('introspection').verify('opaque', signal)).rejects.toThrow(EngineUnavailable)
  })
})
