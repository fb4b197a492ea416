import { expect, it } from 'vitest'
import { afterVote } from '../../../packages/civigraph-client/src/caches/after-vote.ts'

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
