import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ActiveAuthentication, authenticateActively } from '../../../../subgraphs/verification/chip/active-authentication.ts'
import { type ActiveKey, curveKey, type PlainHash, rsaKey, securityOptions } from '../../../support/chips/active-key.ts'
import { oid, sequence, set, tagged } from '../../../support/chips/der.ts'

const challenge = randomBytes(8)
const files = { sod: Buffer.of(), dg1: Buffer.of(), dg2: Buffer.of() }
const told = ({ dg14, dg15 }: Partial<ActiveKey>, response: Uint8Array, asked: Uint8Array = challenge): ActiveAuthentication =>
  authenticateActively({ ...files, ...(dg14 && { dg14 }), ...(dg15 && { dg15 }) }, asked, response)

describe('a chip that holds its key', () => {
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
    ['a curve that is written out', curveKey({ curve: 'brainpoolP256r1', explicit: true })],
    ['P-256, its numbers as a structure', curveKey({ encoding: 'der' })],
    ['P-521 and SHA-512', curveKey({ curve: 'P-521', hash: 'sha512' })],
  ])('is known by its answer: %s', (_, key) => {
    expect(told(key, key.answer(challenge))).toEqual({ result: 'held' })
    expect(told(key, key.answer(challenge))).toEqual({ result: 'held' })
  })
})

describe.each<[string, () => ActiveKey]>([
  ['RSA', () => rsaKey()],
  ['an elliptic curve', () => curveKey()],
])('a copy of its files, with a key of %s', (_, make) => {
  const key = make()
  const answer = key.answer(challenge)

  it('cannot answer with another key', () => {
    expect(told(key, make().answer(challenge))).toEqual({ result: 'not_held' })
  })

  it('cannot answer with what the chip has signed before', () => {
    expect(told(key, key.answer(randomBytes(8)))).toEqual({ result: 'not_held' })
    expect(told(key, answer, randomBytes(8))).toEqual({ result: 'not_held' })
  })

  it('cannot change an answer, at any of its bytes', () => {
    for (const at of answer.keys()) {
      const changed = Buffer.from(answer)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      expect([at, told(key, changed).result]).toEqual([at, 'not_held'])
    }
  })

  it.each<[string, (good: Buffer) => Buffer]>([
    ['nothing', () => Buffer.of()],
    ['a part', (good) => good.subarray(0, -1)],
    ['more', (good) => Buffer.concat([good, Buffer.of(0)])],
    ['a zero before it', (good) => Buffer.concat([Buffer.of(0), good])],
    ['zeros', (good) => Buffer.alloc(good.length)],
    ['a number above all', (good) => Buffer.alloc(good.length, 0xff)],
    ['one', (good) => Buffer.concat([Buffer.alloc(good.length - 1), Buffer.of(1)])],
  ])('cannot answer with %s', (__, made) => {
    expect(told(key, made(answer))).toEqual({ result: 'not_held' })
  })
})

describe('an answer', () => {
  it.each([0x4a, 0x7a, 0x6c, 0x2a, 0x00])('of RSA that begins with %i is none of the scheme', (first) => {
    const key = rsaKey({ first })
    expect(told(key, key.answer(challenge))).toEqual({ result: 'not_held' })
  })

  it('of a hash function that the chip does not name is none', () => {
    const key = curveKey({ hash: 'sha256' })
    expect(told({ ...key, dg14: securityOptions('sha384') }, key.answer(challenge))).toEqual({ result: 'not_held' })
  })

  it.each<[string, Partial<ActiveKey>]>([
    ['no public key', {}],
    ['a key that is too short', rsaKey({ bits: 768 })],
    ['a curve that is too small', curveKey({ curve: 'brainpoolP160r1', hash: 'sha1' })],
    ['no way of signing', { dg15: curveKey().dg15 }],
    ['other security options alone', { dg15: curveKey().dg15, dg14: tagged(0x6e, set(sequence(oid('0.4.0.127.0.7.2.2.1.2')))) }],
    ['a hash function that is not known', { dg15: curveKey().dg15, dg14: securityOptions('ripemd160' satisfies PlainHash) }],
  ])('of a chip with %s tells nothing', (_, key) => {
    expect(told(key, randomBytes(64))).toEqual({ result: 'unknown', why: expect.stringMatching(/key|DG14/) })
  })

  it.each<[string, Partial<ActiveKey>, string]>([
    ['DG15', { dg15: tagged(0x6f, sequence(oid('1.2.3'))) }, 'dg15: it is not a public key'],
    ['DG15', { dg15: tagged(0x6e, Buffer.of(1)) }, 'dg15: '],
    ['DG15', { dg15: Buffer.of(0x6f, 0x82, 0xff) }, 'dg15: it is truncated'],
    ['DG14', { dg15: curveKey().dg15, dg14: tagged(0x6e, Buffer.of(0x04, 0x00)) }, 'dg14: the security options are not a set'],
    ['DG14', { dg15: curveKey().dg15, dg14: tagged(0x6e, set(Buffer.of(0x05, 0x00))) }, 'dg14: a security option is not a sequence'],
  ])('says of a %s that is none what is wrong', (_, key, problem) => {
    expect(() => told(key, randomBytes(64))).toThrow(problem)
  })
})
