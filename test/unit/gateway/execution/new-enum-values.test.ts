import { expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import type { SubgraphSource } from '../../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const sdl = 'type Query { mood: Mood moods: [Mood!] } enum Mood { GOOD BAD }'

/** Executes a query over a subgraph of a newer release, which returns a value that the supergraph lacks. */
async function answered(adapter: 'rest' | undefined) {
  const source: SubgraphSource = {
    fetch: async () => ({ data: { mood: 'CALM', moods: ['GOOD', 'CALM'] } }),
    stream: async () => ({ errors: [] }),
    stop: async () => undefined,
  }
  const executor = createExecutor({
    supergraph: composeSupergraph([{ name: 'moods', sdl, url: 'http://moods' }]),
    sources: { moods: source },
    eventTimeoutMs: 1000,
  })
  using context = contextFor(recordedLog().log)
  const asked = adapter === undefined ? context : { ...context, interface: adapter }
  return JSON.parse(JSON.stringify(await executor.execute(executor.prepare('{ mood moods }'), {}, asked)))
}

it('a new enum value of a subgraph reaches REST, which maps it, and is an error in GraphQL', async () => {
  expect(await answered('rest')).toEqual({ data: { mood: 'CALM', moods: ['GOOD', 'CALM'] } })
  expect(await answered(undefined)).toMatchObject({ data: { mood: null, moods: null }, errors: expect.any(Array) })
})
