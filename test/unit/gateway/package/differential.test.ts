import { LocalGraphQLDataSource } from '@apollo/gateway'
import { expect, it } from 'vitest'
import { silentLog } from '../../../../foundation/log.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { type Ask, startDropIn } from '../../../support/gateway/drop-in.ts'
import { corpus, type HarbourName, harbour, harbourSdl } from '../../../support/gateway/harbour.ts'
import { contextFor } from '../../../support/gateway/town.ts'

interface Told {
  readonly message: string
  readonly path?: unknown
  readonly extensions?: Readonly<Record<string, unknown>>
}
interface Answer {
  readonly data?: unknown
  readonly errors?: readonly Told[]
  readonly extensions?: { readonly valueCompletion?: readonly Told[] }
}

/** An answer by its data, and by message and path of its errors; ApolloGateway reports invalid nulls beside the errors. */
function told({ data, errors = [], extensions }: Answer): object {
  const all = [...errors, ...(extensions?.valueCompletion ?? [])]
  const { code, serviceName } = {
    code: errors.map((error) => error.extensions?.code),
    serviceName: errors.map((error) => error.extensions?.serviceName),
  }
  return { data, errors: all.map(({ message, path }) => ({ message, path })), code: code.slice(0, errors.length), serviceName }
}

it('answers a harbour of every feature as ApolloGateway’s own executor does, messages of errors included', async () => {
  const supergraphSdl = composeSupergraph(Object.entries(harbourSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
  const start = async (execution: 'civigraph' | 'apollo'): Promise<Ask> => {
    const { schemas } = harbour()
    const buildService = ({ name }: { readonly name: string }) => new LocalGraphQLDataSource(schemas[name as HarbourName])
    return (await startDropIn({ supergraphSdl, buildService, execution })).ask
  }
  const [ours, theirs] = [await start('civigraph'), await start('apollo')]
  let equal = 0
  for (const { query, variables } of corpus) {
    using context = contextFor(silentLog)
    const [got, expected] = [await ours(query, variables, context), await theirs(query, variables, context)] as [Answer, Answer]
    expect(got.data, query).toEqual(expected.data)
    expect(
      (got.errors ?? []).map(({ message, path }) => ({ message, path })),
      query,
    ).toEqual([...(expected.errors ?? []), ...(expected.extensions?.valueCompletion ?? [])].map(({ message, path }) => ({ message, path })))
    if (JSON.stringify(told(got)) === JSON.stringify(told(expected))) equal += 1
  }
  expect(equal).toBeGreaterThan(corpus.length * 0.8)
})
