import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { treeReader } from '../../../rest-adapters/content/node-tree-reader.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const megabyte = 'a'.repeat(1_000_000)

/** what a body gives and what it is refused for, read piece by piece */
function readAll(pieces: Iterable<string>) {
  const reader = treeReader()
  const inputs: Readonly<Record<string, unknown>>[] = []
  try {
    for (const piece of pieces) inputs.push(...reader.read(piece).map(({ input }) => input))
    inputs.push(...reader.end().map(({ input }) => input))
    return { inputs }
  } catch (refused) {
    return { refused }
  }
}

describe('a nested import', () => {
  it('keeps nothing of a name that goes on and on', () => {
    const reader = treeReader()
    const before = process.memoryUsage().heapUsed
    reader.read('{"')
    for (let times = 0; times < 8; times++) reader.read(megabyte)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
  })

  it('takes a name that only begins like one of its own for another', () => {
    const { inputs } = readAll(['{"nodes of another kind":[{"title":"x"}],"nodes":[{"title":"r","children of others":[1]}]}'])
    expect(inputs).toMatchObject([{ title: 'r' }])
  })

  it('is refused when the nodes that are open hold more than 64 million characters', () => {
    const chain = function* (depth: number) {
      yield '{"nodes":['
      for (let at = 0; at < depth; at++) yield `{"title":"t","body":"${megabyte}","children":[`
      for (let at = 0; at < depth; at++) yield ']}'
      yield ']}'
    }
    expect(readAll(chain(60)).inputs).toHaveLength(60)
    expect(readAll(chain(70)).refused).toMatchObject({
      entries: [{ type: 'string_too_long', msg: 'A node and those around it should have at most 64000000 characters' }],
    })
  })

  it('keeps of the nodes around the open one no more than their own text', () => {
    const reader = treeReader()
    reader.read('[')
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const closed = `{"title":"t","body":"${'b'.repeat(64_000)}"}`
    // new bytes each time, as they come from a socket
    for (let at = 0; at < 1000; at++)
      reader.read(Buffer.from(`${at === 0 ? '' : ','}{"title":"A title like others","children":[${closed}`).toString())
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })

  it('may be longer than that when its nodes close', () => {
    const reader = treeReader()
    reader.read('[')
    for (let at = 0; at < 100; at++) expect(reader.read(`${at === 0 ? '' : ','}{"title":"t","body":"${megabyte}"}`)).toHaveLength(1)
    expect(reader.read(']')).toEqual([])
    expect(reader.end()).toEqual([])
  })
})
