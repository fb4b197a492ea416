import { expect, it } from 'vitest'
import { loader } from '../../../foundation/graphql/loader.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { withFreshLoaders } from '../../../foundation/subgraph/subgraph.ts'

it('each event of a subscription loads the current state', async () => {
  const context = { loaders: new Map() } as unknown as RequestContext
  let state = 0
  const stateOf = () => loader<string, number>(context, 'state', async (keys) => keys.map(() => state)).load('a')
  async function* events(): AsyncGenerator<number> {
    for (const next of [1, 2, 2]) {
      state = next
      yield next
    }
  }
  const states: number[] = []
  for await (const _ of withFreshLoaders(events(), context)) states.push(await stateOf(), await stateOf())
  expect(states).toEqual([1, 1, 2, 2, 2, 2])
})
