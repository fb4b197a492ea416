import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import { composeSupergraph, loadSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { town } from '../../../support/gateway/town.ts'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'

it('lists every composition error at once', () => {
  const a = `${link} type Query { a: Int  same: Int  other: String }`
  const b = `${link} type Query { same: String  other: Int }`
  expect(() =>
    composeSupergraph([
      { name: 'a', sdl: a },
      { name: 'b', sdl: b },
    ]),
  ).toThrow(/same[\s\S]*other|other[\s\S]*same/)
  expect(() =>
    composeSupergraph([
      { name: 'broken', sdl: 'type Query {' },
      { name: 'worse', sdl: '}' },
    ]),
  ).toThrow(/\[broken\][\s\S]*\[worse\]/)
})

it('loads a supergraph and its addresses from a file, and names an invalid file', async () => {
  const file = join(tmpdir(), `${randomUUID()}.graphql`)
  try {
    await writeFile(file, town().supergraph)
    const { sdl, subgraphs } = await loadSupergraph(file)
    expect(sdl).toBe(town().supergraph)
    expect(subgraphs).toEqual(expect.arrayContaining([{ name: 'houses', url: 'http://houses' }]))
    await writeFile(file, 'type Query { a: Int }')
    await expect(loadSupergraph(file)).rejects.toThrow(file)
    await expect(loadSupergraph(`${file}.missing`)).rejects.toThrow(/ENOENT/)
  } finally {
    await rm(file, { force: true })
  }
})

const composed = (types: string): string => {
  const using = '["@key", "@authenticated", "@requiresScopes", "@policy"]'
  return composeSupergraph([{ name: 'a', sdl: `${link.replace('["@key"]', using)} ${types}`, url: 'http://a' }])
}

it('refuses a supergraph that requires an unknown specification, by its name', async () => {
  const file = join(tmpdir(), `${randomUUID()}.graphql`)
  try {
    await writeFile(
      file,
      `${composed('type Query { b: Int }')} extend schema @link(url: "https://specs.apollo.dev/magic/v0.1", for: SECURITY)`,
    )
    await expect(loadSupergraph(file)).rejects.toThrow(/magic\/v[\d.]+ is for: SECURITY but is unsupported/)
  } finally {
    await rm(file, { force: true })
  }
})

it.each([
  ['authenticated', 'type Query { a: Int @authenticated }'],
  ['requiresScopes', 'type Query { a: Int @requiresScopes(scopes: [["s"]]) }'],
  ['policy', 'type Query { a: Int @policy(policies: [["p"]]) }'],
])('refuses a supergraph that protects fields by @%s without authentication', (directive, types) => {
  const sources = { a: inProcessSource({ schema: buildSchema('type Query { a: Int }') }) }
  expect(() => createExecutor({ supergraph: composed(types), sources, eventTimeoutMs: 1 })).toThrow(
    new RegExp(`@${directive}.*callers are not authenticated`),
  )
})

it('refuses a supergraph with a subgraph that has no source', () => {
  expect(() => createExecutor({ supergraph: town().supergraph, sources: {}, eventTimeoutMs: 1 })).toThrow(/houses, letters, people/)
})
