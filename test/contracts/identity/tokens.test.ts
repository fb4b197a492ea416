import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTokenVerifier, type TokenVerifier } from '../../../engines/identity/token-verifier.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'

const issuer = 'https://issuer.test/realms/civic'
const audience = 'civigraph'
const claims = { roles: 'realm_access.roles', groups: 'groups', tenant: 'tenant', citizen: 'citizen_code' }
const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const
type Algorithm = (typeof algorithms)[number] | 'RS512'

interface Key {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}
const newKey = async (alg: Algorithm, kid: string): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** a clock that advances only when the test sets it */
const clock = { at: 1_790_000_000_000, now: () => clock.at }
const nowS = (): number => Math.floor(clock.at / 1000)
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

const keys = new Map<Algorithm, Key>()
let strangers: Key
/** an address in a forged header; it must never be requested */
let trap: Server
let trapped = 0
beforeAll(async () => {
  for (const alg of algorithms) keys.set(alg, await newKey(alg, `key-${alg}`))
  strangers = await newKey('ES256', 'key-ES256')
  trap = createServer((_, response) => {
    trapped += 1
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [strangers.jwk] }))
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => trap.close(resolve)))

interface Forged {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Partial<JWTHeaderParameters>
  readonly key?: CryptoKey | Uint8Array
  readonly alg?: Algorithm | 'HS256'
}

function token({ claims: more = {}, header = {}, alg = 'ES256', key }: Forged = {}): Promise<string> {
  const mine = keys.get(alg === 'HS256' ? 'ES256' : alg)
  const payload = {
    iss: issuer,
    aud: ['other', audience],
    sub: 'person-1',
    iat: nowS() - 10,
    exp: nowS() + 300,
    realm_access: { roles: ['super_admin'] },
    groups: ['default'],
    email: 'ada@example.org',
    ...more,
  }
  return new SignJWT(payload)
    .setProtectedHeader({ alg, kid: `key-${alg === 'HS256' ? 'ES256' : alg}`, typ: 'at+jwt', ...header })
    .sign(key ?? mine?.privateKey ?? new Uint8Array(32))
}

const unsigned = (header: object, payload: object): string =>
  [header, payload, ''].map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url'))).join('.')

let reads = 0
let verifier: TokenVerifier
beforeEach(() => {
  reads = 0
  verifier = createTokenVerifier({
    issuer,
    audience,
    claims,
    clock,
    readKeys: async () => {
      reads += 1
      return { keys: [...keys.values()].map(({ jwk }) => jwk) }
    },
  })
})

describe('an access token', () => {
  it.each(algorithms)('signed with %s identifies its bearer', async (alg) => {
    expect(await verifier.verify(await token({ alg }), signal())).toMatchObject({
      issuer,
      subject: 'person-1',
      roles: ['super_admin'],
      groups: ['default'],
      expiresAt: nowS() + 300,
      profile: { email: 'ada@example.org', emailVerified: false, name: null },
    })
  })

  it.each(['JWT', 'jwt', 'at+jwt', 'application/at+jwt'])('may have the type %s', async (typ) => {
    await expect(verifier.verify(await token({ header: { typ } }), signal())).resolves.toMatchObject({ subject: 'person-1' })
  })

  it('is accepted 30 seconds before and after its validity, to tolerate clock differences', async () => {
    await expect(verifier.verify(await token({ claims: { exp: nowS() - 29 } }), signal())).resolves.toBeDefined()
    await expect(verifier.verify(await token({ claims: { nbf: nowS() + 29 } }), signal())).resolves.toBeDefined()
  })

  it('may contain a tenant, and roles that are not a list of strings are ignored', async () => {
    const read = await verifier.verify(
      await token({ claims: { tenant: 'north', realm_access: { roles: [1, null, 'group_admin'] }, groups: 'solo' } }),
      signal(),
    )
    expect(read).toMatchObject({ tenant: 'north', roles: ['group_admin'], groups: ['solo'] })
    expect((await verifier.verify(await token({ claims: { realm_access: 7, groups: { a: 1 } } }), signal())).roles).toEqual([])
  })
})

const spki = async (): Promise<Uint8Array> => new TextEncoder().encode(await exportSPKI((keys.get('ES256') ?? strangers).publicKey))
const payload = () => ({ iss: issuer, aud: audience, sub: 'person-1', exp: nowS() + 300, realm_access: { roles: ['super_admin'] } })
const trapUrl = (): string => `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`

/** Forged tokens by the kind of the forgery. */
const attacks: Readonly<Record<string, () => Promise<string>>> = {
  'that has expired': () => token({ claims: { exp: nowS() - 31 } }),
  'that is not valid yet': () => token({ claims: { nbf: nowS() + 31 } }),
  'without an expiry': () => token({ claims: { exp: undefined } }),
  'whose expiry is not a number': () => token({ claims: { exp: 'never' } }),
  'for another audience': () => token({ claims: { aud: 'another' } }),
  'without an audience': () => token({ claims: { aud: undefined } }),
  'of another issuer': () => token({ claims: { iss: 'https://issuer.test/realms/other' } }),
  'of an issuer with an additional slash': () => token({ claims: { iss: `${issuer}/` } }),
  'without an issuer': () => token({ claims: { iss: undefined } }),
  'without a subject': () => token({ claims: { sub: undefined } }),
  'with the subject null': () => token({ claims: { sub: null } }),
  'with an object as subject': () => token({ claims: { sub: { id: 'person-1' } } }),
  'with an empty subject': () => token({ claims: { sub: '' } }),
  'with algorithm none': async () => unsigned({ alg: 'none', kid: 'key-ES256', typ: 'at+jwt' }, payload()),
  'with algorithm NoNe': async () => unsigned({ alg: 'NoNe', kid: 'key-ES256', typ: 'at+jwt' }, payload()),
  'with HS256 and the public key as the secret': async () => token({ alg: 'HS256', key: await spki() }),
  'with HS256 and the public JWK as the secret': async () =>
    token({ alg: 'HS256', key: new TextEncoder().encode(JSON.stringify(keys.get('ES256')?.jwk)) }),
  'with an algorithm that is not allowed': async () =>
    token({ key: (await newKey('RS512', 'x')).privateKey, header: { alg: 'RS512', kid: 'key-RS256' } }),
  'with an unknown key id': () => token({ header: { kid: 'unknown' } }),
  'without a key id, matching none of several keys': () => token({ key: strangers.privateKey, header: { kid: undefined as never } }),
  'with a key id that is a path': () => token({ header: { kid: '../../../etc/passwd' } }),
  'with a key id that is SQL': () => token({ header: { kid: "' or 1=1 --" } }),
  'signed with another key under a known key id': () => token({ key: strangers.privateKey }),
  'whose jku points elsewhere': () => token({ key: strangers.privateKey, header: { jku: trapUrl() } }),
  'whose x5u points elsewhere': () => token({ key: strangers.privateKey, header: { x5u: trapUrl() } }),
  'that contains its own key': () => token({ key: strangers.privateKey, header: { jwk: strangers.jwk } }),
  'with a critical header of an unknown name': async () => {
    const [, body, signature] = (await token()).split('.')
    return [
      Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'key-ES256', typ: 'at+jwt', crit: ['x'], x: 1 })).toString('base64url'),
      body,
      signature,
    ].join('.')
  },
  'whose payload was changed': async () => {
    const [header, , signature] = (await token()).split('.')
    return [header, Buffer.from(JSON.stringify({ ...payload(), sub: 'person-2' })).toString('base64url'), signature].join('.')
  },
  'whose header was changed': async () => {
    const [, body, signature] = (await token()).split('.')
    return [Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'key-ES256', typ: 'JWT' })).toString('base64url'), body, signature].join('.')
  },
  'with a truncated signature': async () => (await token()).slice(0, -4),
  'without a signature': async () => (await token()).replace(/[^.]*$/, ''),
  'truncated in the middle': async () => (await token()).slice(0, 100),
  'with an additional part': async () => `${await token()}.x`,
  'that is encrypted': async () => `${await token()}.a.b`,
  'that is empty': async () => '',
  'that is nonsense': async () => 'nonsense',
  'without JSON': async () => 'bm8.bm8.bm8',
  'of a megabyte': async () => `${await token()}${'A'.repeat(1024 * 1024)}`,
  'of a megabyte that is signed': () => token({ claims: { padding: 'A'.repeat(1024 * 1024) } }),
  'without a type': () => token({ header: { typ: undefined as never } }),
  'of another type': () => token({ header: { typ: 'logout+jwt' } }),
  'that is an id token, by its hash': () => token({ header: { typ: 'JWT' }, claims: { at_hash: 'abc' } }),
  'that is an id token, by its nonce': () => token({ header: { typ: 'JWT' }, claims: { nonce: 'abc' } }),
  'that is an id token of Keycloak': () => token({ header: { typ: 'JWT' }, claims: { typ: 'ID' } }),
  'that is a refresh token of Keycloak': () => token({ header: { typ: 'JWT' }, claims: { typ: 'Refresh' } }),
}

describe('a token', () => {
  it.each(Object.entries(attacks))('%s is refused', async (_, make) => {
    await expect(verifier.verify(await make(), signal())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(trapped).toBe(0)
  })

  it('has expired is the only reason that an error states', async () => {
    await expect(verifier.verify(await token({ claims: { exp: nowS() - 100 } }), signal())).rejects.toThrow('The access token has expired')
    for (const make of [attacks['whose payload was changed'], attacks['with an unknown key id'], attacks['for another audience']])
      await expect(verifier.verify(await (make?.() ?? ''), signal())).rejects.toThrow('The access token is invalid')
  })
})

describe('the keys of the issuer', () => {
  it('are read once for concurrent tokens', async () => {
    const good = await token()
    await Promise.all(Array.from({ length: 50 }, () => verifier.verify(good, signal())))
    expect(reads).toBe(1)
  })

  it('are read again for an unknown key id, at most once a minute, and the new key is then accepted', async () => {
    await verifier.verify(await token(), signal())
    const newcomer = await newKey('ES256', 'key-new')
    const fresh = () => token({ key: newcomer.privateKey, header: { kid: 'key-new' } })
    keys.set('RS512', newcomer)
    try {
      for (let tries = 0; tries < 20; tries++)
        await expect(verifier.verify(await fresh(), signal())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
      expect(reads).toBe(1)
      clock.at += 60_001
      await expect(verifier.verify(await fresh(), signal())).resolves.toMatchObject({ subject: 'person-1' })
      expect(reads).toBe(2)
    } finally {
      keys.delete('RS512')
    }
  })

  it('remain in use while the issuer is unavailable, and are EngineUnavailable if they were never read', async () => {
    let isUnavailable = true
    const newVerifier = () =>
      createTokenVerifier({
        issuer,
        audience,
        claims,
        clock,
        readKeys: async () => {
          if (isUnavailable) throw new EngineUnavailable('identity service')
          return { keys: [...keys.values()].map(({ jwk }) => jwk) }
        },
      })
    const waiting = newVerifier()
    await expect(waiting.verify(await token(), signal())).rejects.toThrow(EngineUnavailable)
    isUnavailable = false
    clock.at += 2000
    await waiting.verify(await token(), signal())
    isUnavailable = true
    clock.at += 3_600_000
    await expect(waiting.verify(await token(), signal())).resolves.toMatchObject({ subject: 'person-1' })
  })
})
