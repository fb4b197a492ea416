import { v5 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { expressionKey, type IdentifyingParts, senderOf } from '../../../subgraphs/classification/intake/expression-key.ts'

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const receivedAt = new Date('2026-11-27T12:00:00Z')
const parts: IdentifyingParts = {
  sender: { kind: 'service', name: 'one' },
  source: 'portal',
  externalId: '17',
  author: null,
  text: 'Le pont est cassé',
}

describe('the id of an expression', () => {
  it('is a UUIDv5 that follows from the key, the sender, the source and the external id', () => {
    const { id, repeatable } = expressionKey(parts, receivedAt, key(1))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/)
    expect(repeatable).toBe(true)
    expect(expressionKey({ ...parts, text: 'Un autre texte' }, new Date(0), key(1)).id).toBe(id)
    const others = [
      expressionKey(parts, receivedAt, key(2)),
      expressionKey({ ...parts, sender: { kind: 'service', name: 'two' } }, receivedAt, key(1)),
      expressionKey({ ...parts, sender: { kind: 'anonymous' } }, receivedAt, key(1)),
      expressionKey({ ...parts, source: 'other' }, receivedAt, key(1)),
      expressionKey({ ...parts, externalId: '18' }, receivedAt, key(1)),
    ]
    expect(new Set([id, ...others.map((other) => other.id)]).size).toBe(6)
  })

  it('cannot be computed without the key; the id that releases before 2.0 assigned is looked up as well', () => {
    const former = v5(JSON.stringify(['external', 'portal', '17']), '6f1c7d0a-3b0e-5b7e-9c9f-0d6a4c1e8b52')
    const { id, formerId } = expressionKey(parts, receivedAt, key(1))
    expect(formerId).toBe(former)
    expect(id).not.toBe(former)
  })

  it('differs for each request of an anonymous caller without an external id, whatever author the request names', () => {
    const request: IdentifyingParts = { ...parts, sender: { kind: 'anonymous' }, externalId: null, author: 'a'.repeat(64) }
    const [one, two] = [expressionKey(request, receivedAt, key(1)), expressionKey(request, receivedAt, key(1))]
    expect(one).toMatchObject({ formerId: null, repeatable: false })
    expect(two.id).not.toBe(one.id)
  })

  it('depends on the user when there is an author, and has no id of an earlier release', () => {
    const user = (subject: string): IdentifyingParts['sender'] => ({ kind: 'user', issuer: 'https://issuer.test', subject })
    const request = { ...parts, externalId: null, author: 'a'.repeat(64) }
    const one = expressionKey({ ...request, sender: user('one') }, receivedAt, key(1))
    expect(one).toMatchObject({ formerId: null, repeatable: true })
    expect(expressionKey({ ...request, sender: user('two') }, receivedAt, key(1)).id).not.toBe(one.id)
  })
})

describe('the sender of a request', () => {
  const service = { name: 'one', scopes: [] }
  const user = { issuer: 'https://issuer.test', subject: 'me', roles: [], groups: [], expiresAt: 0 }

  it('is the service key, else the user, else anonymous', () => {
    expect(senderOf({ service, user })).toEqual({ kind: 'service', name: 'one' })
    expect(senderOf({ user })).toEqual({ kind: 'user', issuer: 'https://issuer.test', subject: 'me' })
    expect(senderOf({})).toEqual({ kind: 'anonymous' })
  })
})
