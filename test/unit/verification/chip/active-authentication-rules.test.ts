import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ActiveAuthentication, authenticateActively } from '../../../../subgraphs/verification/chip/active-authentication.ts'
import { type ActiveKey, curveKey, type PlainHash, rsaKey, securityOptions } from '../../../support/chips/active-key.ts'
import { oid, sequence, set, tagged } from '../../../support/chips/der.ts'

const challenge = randomBytes(8)
const files = { sod: Buffer.of(), dg1: Buffer.of(), dg2: Buffer.of() }
const authenticate = ({ dg14, dg15 }: Partial<ActiveKey>, response: Uint8Array, nonce: Uint8Array = challenge): ActiveAuthentication =>
  authenticateActively({ ...files, ...(dg14 && { dg14 }), ...(dg15 && { dg15 }) }, nonce, response)

describe('a chip with its private key', () => {
  it.each<[string, ActiveKey]>([
    ['RSA of 1024 bits and SHA-1', rsaKey()],
    ['RSA of 2048 bits and SHA-256', rsaKey({ bits: 2048, hash: 'sha256' })],
    ['RSA and SHA-224', rsaKey({ hash: 'sha224' })],
    ['RSA and SHA-384', rsaKey({ bits: 2048, hash: 'sha384' })],
    ['RSA and SHA-512', rsaKey({ bits: 2048, hash: 'sha512' })],
    ['RSA with padding', rsaKey({ padding: 5 })],
    ['RSA with two bytes of padding', rsaKey({ padding: 2 })],
    ['P-256 and SHA-256', curveKey()],
    ['brainpoolP384r1 and SHA-384', curveKey({ curve: 'brainpoolP384r1', hash: 'sha384' })],
    ['a curve in explicit parameters', curveKey({ curve: 'brainpoolP256r1', explicit: true })],
    ['P-256, with its signature as a DER structure', curveKey({ encoding: 'der' })],
    ['P-521 and SHA-512', curveKey({ curve: 'P-521', hash: 'sha512' })],
  ])('is authenticated by its response: %s', (_, key) => {
    expect(authenticate(key, key.answer(challenge))).toEqual({ result: 'held' })
    expect(authenticate(key, key.answer(challenge))).toEqual({ result: 'held' })
  })
})

describe.each<[string, () => ActiveKey]>([
  ['RSA', () => rsaKey()],
  ['an elliptic curve', () => curveKey()],
])('a clone of its files, with a key of %s', (_, make) => {
  const key = make()
  const answer = key.answer(challenge)

  it('cannot respond with another key', () => {
    expect(authenticate(key, make().answer(challenge))).toEqual({ result: 'not_held' })
  })

  it('cannot respond with an earlier signature of the chip', () => {
    expect(authenticate(key, key.answer(randomBytes(8)))).toEqual({ result: 'not_held' })
    expect(authenticate(key, answer, randomBytes(8))).toEqual({ result: 'not_held' })
  })

  it('cannot alter a response, at any byte', () => {
    for (const at of answer.keys()) {
      const changed = Buffer.from(answer)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      expect([at, authenticate(key, changed).result]).toEqual([at, 'not_held'])
    }
  })

  it.each<[string, (good: Buffer) => Buffer]>([
    ['no bytes', () => Buffer.of()],
    ['a prefix', (good) => good.subarray(0, -1)],
    ['an extra byte', (good) => Buffer.concat([good, Buffer.of(0)])],
    ['a leading zero', (good) => Buffer.concat([Buffer.of(0), good])],
    ['zeros', (good) => Buffer.alloc(good.length)],
    ['a number above the modulus', (good) => Buffer.alloc(good.length, 0xff)],
    ['one', (good) => Buffer.concat([Buffer.alloc(good.length - 1), Buffer.of(1)])],
  ])('cannot respond with %s', (__, alter) => {
    expect(authenticate(key, alter(answer))).toEqual({ result: 'not_held' })
  })
})

describe('a response', () => {
  it.each([0x4a, 0x7a, 0x6c, 0x2a, 0x00])('with an RSA signature that starts with %i is invalid', (first) => {
    const key = rsaKey({ first })
    expect(authenticate(key, key.answer(challenge))).toEqual({ result: 'not_held' })
  })

  it('with a hash function that the chip does not declare is invalid', () => {
    const key = curveKey({ hash: 'sha256' })
    expect(authenticate({ ...key, dg14: securityOptions('sha384') }, key.answer(challenge))).toEqual({ result: 'not_held' })
  })

  it.each<[string, Partial<ActiveKey>]>([
    ['no public key', {}],
    ['a key that is too short', rsaKey({ bits: 768 })],
    ['a curve that is too small', curveKey({ curve: 'brainpoolP160r1', hash: 'sha1' })],
    ['no signature algorithm', { dg15: curveKey().dg15 }],
    ['only other security options', { dg15: curveKey().dg15, dg14: tagged(0x6e, set(sequence(oid('0.4.0.127.0.7.2.2.1.2')))) }],
    ['an unknown hash function', { dg15: curveKey().dg15, dg14: securityOptions('ripemd160' satisfies PlainHash) }],
  ])('of a chip with %s proves nothing', (_, key) => {
    expect(authenticate(key, randomBytes(64))).toEqual({ result: 'unknown', why: expect.stringMatching(/key|DG14/) })
  })

  it.each<[string, Partial<ActiveKey>, string]>([
    ['DG15', { dg15: tagged(0x6f, sequence(oid('1.2.3'))) }, 'dg15: it is not a public key'],
    ['DG15', { dg15: tagged(0x6e, Buffer.of(1)) }, 'dg15: '],
    ['DG15', { dg15: Buffer.of(0x6f, 0x82, 0xff) }, 'dg15: it is truncated'],
    ['DG14', { dg15: curveKey().dg15, dg14: tagged(0x6e, Buffer.of(0x04, 0x00)) }, 'dg14: the security options are not a set'],
    ['DG14', { dg15: curveKey().dg15, dg14: tagged(0x6e, set(Buffer.of(0x05, 0x00))) }, 'dg14: a security option is not a sequence'],
  ])('to a malformed %s is refused with the reason', (_, key, problem) => {
    expect(() => authenticate(key, randomBytes(64))).toThrow(problem)
  })
})
