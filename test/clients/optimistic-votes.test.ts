import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { graphql } from 'graphql'
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLSingularResponse,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime'
import { afterEach, expect, it, vi } from 'vitest'
import { afterVote } from '../../packages/civigraph-client/src/caches/after-vote.ts'
import { keys, resolvers, schema } from '../../packages/civigraph-client/src/caches/graphcache.ts'
import { getDataID } from '../../packages/civigraph-client/src/caches/relay.ts'
import {
  CastVoteDocument,
  type CastVoteMutationVariables,
  ExpressionVotesDocument,
  type VoteValue,
} from '../../packages/civigraph-client/src/graphql/generated/documents.ts'
import { clientSchema } from '../support/clients/client-schema.ts'
import { clientArtifacts } from '../support/clients/relay-artifacts.ts'

afterEach(() => vi.restoreAllMocks())

const id = 'expression'
const votesOf = (mine: VoteValue | null) => ({
  id,
  nodeId: 'node',
  myVote: mine,
  votes: {
    agree: Number(mine === 'AGREE'),
    disagree: Number(mine === 'DISAGREE'),
    pass: Number(mine === 'PASS'),
    total: Number(mine !== null),
    unverified: { total: 0, agree: 0, disagree: 0, pass: 0 },
  },
})

/** A platform with one expression, which answers each vote when `answer` is called. */
function platform() {
  let waiting: (() => void)[] = []
  const answered = async (source: string, variables: Readonly<Record<string, unknown>>) => {
    const { value } = (variables.input ?? {}) as { readonly value?: VoteValue }
    if (value !== undefined) await new Promise<void>((resolve) => waiting.push(resolve))
    const expression = votesOf(value ?? null)
    return graphql({ schema: clientSchema, source, variableValues: variables, rootValue: { expression, castVote: { value, expression } } })
  }
  const answer = async (): Promise<void> => {
    await expect.poll(() => waiting.length).toBe(1)
    for (const go of waiting) go()
    waiting = []
  }
  return { answered, answer }
}

/** What a page shows of an expression. */
interface Shown {
  readonly myVote?: VoteValue | null
  readonly votes: { readonly agree: number; readonly pass: number; readonly total: number }
}
const figuresOf = ({ myVote, votes: { agree, pass, total } }: Shown) => ({ myVote, agree, pass, total })

/** Votes of one user, one after another, and what the page shows before and after each answer. */
const votes = [
  ['AGREE', { myVote: 'AGREE', agree: 1, pass: 0, total: 1 }],
  ['AGREE', { myVote: 'AGREE', agree: 1, pass: 0, total: 1 }],
  ['PASS', { myVote: 'PASS', agree: 0, pass: 1, total: 1 }],
] as const

it('graphcache shows a vote before its answer', async () => {
  const { answered, answer } = platform()
  const warned = vi.spyOn(console, 'warn')
  const client = new Client({
    url: 'http://graph.test/graphql',
    preferGetMethod: false,
    fetch: async (_, init) => {
      const { query, variables } = JSON.parse(String(init?.body))
      return Response.json(await answered(query, variables))
    },
    exchanges: [
      cacheExchange({
        keys,
        schema,
        resolvers,
        // docs/clients/caches.md
        optimistic: {
          castVote({ input }, cache) {
            const { expressionId, value } = input as CastVoteMutationVariables['input']
            const expression = cache.readQuery({ query: ExpressionVotesDocument, variables: { id: expressionId } })?.expression
            return expression ? { __typename: 'CastVotePayload', value, expression: afterVote(expression, value) } : null
          },
        },
      }),
      fetchExchange,
    ],
  })
  let page: Shown | undefined
  const watching = client.query(ExpressionVotesDocument, { id }).subscribe(({ data }) => {
    page = data?.expression ?? undefined
  })
  await expect.poll(() => page?.myVote).toBe(null)
  for (const [value, figures] of votes) {
    const voted = client.mutation(CastVoteDocument, { input: { expressionId: id, value } }).toPromise()
    await expect.poll(() => page && figuresOf(page)).toEqual(figures)
    await answer()
    expect((await voted).data?.castVote?.value).toBe(value)
    expect(page && figuresOf(page)).toEqual(figures)
  }
  watching.unsubscribe()
  expect(warned.mock.calls).toEqual([])
})

/** A type, because Relay requires an index signature, which an interface does not have. */
type VoteResponse = { readonly castVote: { readonly value: VoteValue; readonly expression: Shown } }

interface VoteMutation {
  readonly variables: CastVoteMutationVariables
  readonly response: VoteResponse
  readonly rawResponse: VoteResponse
}

const selection = 'id nodeId myVote votes { agree disagree pass total }'

it('Relay shows a vote before its answer, if the documents select nodeId', async () => {
  const { answered, answer } = platform()
  const warned = vi.spyOn(console, 'error')
  using artifacts = clientArtifacts([
    `query pageVotesQuery($id: ID!) { expression(id: $id) { ${selection} } }`,
    `mutation pageVoteMutation($input: CastVoteInput!) { castVote(input: $input) { value expression { ${selection} } } }`,
  ])
  const network = Network.create(async ({ text }, variables) => (await answered(text ?? '', variables)) as GraphQLSingularResponse)
  const environment = new Environment({ network, store: new Store(new RecordSource()), getDataID })
  const query = await artifacts.of('pageVotesQuery')
  const mutation = await artifacts.of('pageVoteMutation')
  await fetchQuery(environment, query, { id }).toPromise()
  const operation = createOperationDescriptor(query, { id })
  environment.retain(operation)
  const page = () => (environment.lookup(operation.fragment).data as unknown as { readonly expression: Shown }).expression
  for (const [value, figures] of votes) {
    const voted = new Promise<unknown>((resolve, reject) =>
      commitMutation<VoteMutation>(environment, {
        mutation,
        variables: { input: { expressionId: id, value } },
        optimisticResponse: { castVote: { value, expression: afterVote(page(), value) } },
        onCompleted: resolve,
        onError: reject,
      }),
    )
    expect(figuresOf(page())).toEqual(figures)
    await answer()
    expect(await voted).toMatchObject({ castVote: { value } })
    expect(figuresOf(page())).toEqual(figures)
  }
  expect(warned.mock.calls).toEqual([])
})
