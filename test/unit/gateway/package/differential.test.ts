import { isDeepStrictEqual } from 'node:util'
import { LocalGraphQLDataSource } from '@apollo/gateway'
import { expect, it } from 'vitest'
import { silentLog } from '../../../../foundation/log.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { type Ask, startDropIn } from '../../../support/gateway/drop-in.ts'
import { corpus, type HarbourName, harbour, harbourSdl } from '../../../support/gateway/harbour.ts'
import { contextFor } from '../../../support/gateway/town.ts'

interface ReportedError {
  readonly message: string
  readonly path?: unknown
  readonly extensions?: Readonly<Record<string, unknown>>
}
interface Answer {
  readonly data?: unknown
  readonly errors?: readonly ReportedError[]
  readonly extensions?: { readonly valueCompletion?: readonly ReportedError[] }
}

/** Messages and paths of all errors; ApolloGateway reports invalid nulls beside the errors. */
const problemsOf = ({ errors = [], extensions }: Answer): readonly object[] =>
  [...errors, ...(extensions?.valueCompletion ?? [])].map(({ message, path }) => ({ message, path }))

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
    expect(problemsOf(got), query).toEqual(problemsOf(expected))
    if (isDeepStrictEqual(got, expected)) equal += 1
  }
  // the others: invalid nulls, entries of bad variables, and the code for a missing operation name
  expect(equal).toBe(corpus.length - 5)
})
