import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { treeReader } from '../../../rest-adapters/content/node-tree-reader.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const megabyte = 'a'.repeat(1_000_000)

/** Reads a body piece by piece; returns its nodes, or its refusal. */
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
  it('does not buffer an endless member name', () => {
    const reader = treeReader()
    const before = process.memoryUsage().heapUsed
    reader.read('{"')
    for (let times = 0; times < 8; times++) reader.read(megabyte)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
  })

  it('ignores a member whose name only starts like a known one', () => {
    const { inputs } = readAll(['{"nodes of another kind":[{"title":"x"}],"nodes":[{"title":"r","children of others":[1]}]}'])
    expect(inputs).toMatchObject([{ title: 'r' }])
  })

  it('is refused when the open nodes hold more than 64 million characters', () => {
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

  it('buffers only the text of the nodes around the open one', () => {
    const reader = treeReader()
    reader.read('[')
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const closed = `{"title":"t","body":"${'b'.repeat(64_000)}"}`
    // new bytes each time, as from a socket
    for (let at = 0; at < 1000; at++)
      reader.read(Buffer.from(`${at === 0 ? '' : ','}{"title":"A title like others","children":[${closed}`).toString())
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })

  it('may exceed that in total when its nodes close', () => {
    const reader = treeReader()
    reader.read('[')
    for (let at = 0; at < 100; at++) expect(reader.read(`${at === 0 ? '' : ','}{"title":"t","body":"${megabyte}"}`)).toHaveLength(1)
    expect(reader.read(']')).toEqual([])
    expect(reader.end()).toEqual([])
  })
})
