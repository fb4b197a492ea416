import { describe, expect, it } from 'vitest'
import { boundedText } from '../../../foundation/http/content.ts'
import { lineReader } from '../../../rest-adapters/content/node-line-reader.ts'
import { treeReader } from '../../../rest-adapters/content/node-tree-reader.ts'
import { readSubscription } from '../../../rest-adapters/exploration/realtime/filter.ts'

const refusal = (msg: string) => expect.objectContaining({ entries: [expect.objectContaining({ type: 'value_error', msg })] })

describe('a node of an import', () => {
  it.each([
    ['20000 values', `{"title":"t","metadata":{"x":[${'1,'.repeat(20_000)}1]}}`],
    ['1024 characters in a member name', `{"title":"t","metadata":{"${'n'.repeat(2000)}":1}}`],
    ['1000 arrays and objects within each other', `{"title":"t","metadata":${'{"x":'.repeat(1200)}1${'}'.repeat(1200)}}`],
  ])('has at most %s, as a line and in a tree', (limit, node) => {
    const expected = refusal(`Value error, a node should have at most ${limit}`)
    expect(() => lineReader().read(`${node}\n`)).toThrow(expected)
    expect(() => treeReader().read(`{"nodes":[${node}]}`)).toThrow(expected)
  })
})

describe('a filter of the realtime channel', () => {
  it('is refused with at most 100 characters of its members', () => {
    const content = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`member${at}`.repeat(3), 1]))
    const read = readSubscription(content)
    expect('detail' in read && read.detail.length).toBeLessThan(250)
  })
})

describe('the answer of another service', () => {
  it('is read up to its limit', async () => {
    expect(await boundedText(new Response('éa'), 3)).toBe('éa')
    let sent = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1024
        controller.enqueue(new Uint8Array(1024))
      },
    })
    await expect(boundedText(new Response(endless), 10_000)).rejects.toThrow('its response exceeds 10000 bytes')
    expect(sent).toBeLessThan(20_000)
  })
})
