import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client'
import { of } from 'rxjs'
import { expect, it, vi } from 'vitest'
import { afterVote } from '../../../packages/civigraph-client/src/caches/after-vote.ts'
import { possibleTypes, typePolicies } from '../../../packages/civigraph-client/src/caches/apollo.ts'
import {
  CastVoteDocument,
  ExpressionVotesDocument,
  type VoteValue,
} from '../../../packages/civigraph-client/src/graphql/generated/documents.ts'

const votes = { agree: 5, disagree: 2, pass: 1, total: 8 }

it.each([
  ['a first vote', null, 'AGREE', { agree: 6, disagree: 2, pass: 1, total: 9 }],
  ['a repeated vote', 'AGREE', 'AGREE', votes],
  ['a changed vote', 'AGREE', 'PASS', { agree: 4, disagree: 2, pass: 2, total: 8 }],
] as const)('counts %s once', (_, myVote, value, expected) => {
  expect(afterVote({ id: '1', myVote, votes }, value)).toEqual({ id: '1', myVote: value, votes: expected })
})

it('leaves out counts that the operation did not select', () => {
  expect(afterVote({ myVote: null, votes: { total: 3 } }, 'AGREE')).toEqual({ myVote: 'AGREE', votes: { total: 4 } })
})

it('fits the packaged documents: each optimistic response of Apollo Client is complete and equals the answer', async () => {
  const missing = vi.spyOn(console, 'error')
  const id = 'expression'
  const none = { total: 0, agree: 0, disagree: 0, pass: 0 }
  const votesOf = (mine: VoteValue | null) => ({
    __typename: 'Expression' as const,
    id,
    myVote: mine,
    votes: {
      __typename: 'VoteCounts',
      agree: mine === 'AGREE' ? 1 : 0,
      disagree: mine === 'DISAGREE' ? 1 : 0,
      pass: mine === 'PASS' ? 1 : 0,
      total: mine === null ? 0 : 1,
      unverified: { __typename: 'UnverifiedVoteCounts', ...none },
    },
  })
  const link = new ApolloLink(({ variables: { input } }) => {
    const { value } = (input ?? {}) as { readonly value?: VoteValue }
    const expression = votesOf(value ?? null)
    return of({ data: value === undefined ? { expression } : { castVote: { __typename: 'CastVotePayload', value, expression } } })
  })
  const cache = new InMemoryCache({ typePolicies, possibleTypes })
  const client = new ApolloClient({ cache, link })
  await client.query({ query: ExpressionVotesDocument, variables: { id } })
  const seen: unknown[] = []
  cache.watch({ query: ExpressionVotesDocument, variables: { id }, optimistic: true, callback: ({ result }) => seen.push(result) })
  for (const value of ['AGREE', 'AGREE', 'PASS'] as const) {
    const expression = client.readQuery({ query: ExpressionVotesDocument, variables: { id } })?.expression
    await client.mutate({
      mutation: CastVoteDocument,
      variables: { input: { expressionId: id, value } },
      ...(expression && { optimisticResponse: { castVote: { value, expression: afterVote(expression, value) } } }),
    })
    expect(cache.readQuery({ query: ExpressionVotesDocument, variables: { id } })).toEqual({ expression: votesOf(value) })
  }
  // one change for each changed vote: the answer changes nothing
  expect(seen).toEqual([{ expression: votesOf('AGREE') }, { expression: votesOf('PASS') }])
  expect(missing).not.toHaveBeenCalled()
})
