import { CastPublicVoteDocument, type CastPublicVoteInput } from '@civigraph/client/documents'
import { CombinedError } from '@urql/core'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { problemsOf } from '../../components/problem.tsx'
import { errorOf } from '../../shared/frame/fault-boundary.tsx'
import { mutated } from '../reading/graph.ts'
import { useFormats, useWords } from '../words/words.ts'
import { canChange, type OwnVote, ownVote, storeOwnVote } from './own-votes.ts'

interface VotesByValue {
  readonly agree: number
  readonly disagree: number
  readonly pass: number
}

/** Verified votes, with the unverified ones beside them. */
export interface Votes extends VotesByValue {
  readonly total: number
  readonly unverified: VotesByValue & { readonly total: number }
}

type Value = CastPublicVoteInput['value']
const values = [
  ['AGREE', 'agree'],
  ['DISAGREE', 'disagree'],
  ['PASS', 'pass'],
] as const

const isOfPass = ({ extensions }: { readonly extensions?: Readonly<Record<string, unknown>> | undefined }): boolean =>
  Array.isArray(extensions?.entries) && extensions.entries.some((entry) => entry?.path?.at(-1) === 'voterToken')
const isPassRefused = (error: unknown): boolean => error instanceof CombinedError && error.graphQLErrors.some(isOfPass)

/** Shows verified and unverified votes of an expression. */
export function VoteClasses({ votes: { total, unverified } }: { votes: Votes }) {
  const { word } = useWords()
  const { compact } = useFormats()
  const { agree, disagree, pass } = unverified
  const split = { agree: compact(agree), disagree: compact(disagree), pass: compact(pass) }
  return (
    <p className="quiet vote-classes">
      {word('votes.verified', { count: total })} · {word('votes.unverified', { count: unverified.total })}
      {unverified.total > 0 && ` (${word('votes.byValue', split)})`}
    </p>
  )
}

/** Casts a vote on an expression: unverified, and changeable while its pass is valid. */
export function VoteButtons({ expressionId, votes }: { expressionId: string; votes: Votes }) {
  const words = useWords()
  const { word } = words
  const { compact } = useFormats()
  const [counts, setCounts] = useState(votes)
  const [own, setOwn] = useState<OwnVote | undefined>(() => ownVote(expressionId))
  const [pending, setPending] = useState<Value>()
  const [problem, setProblem] = useState<string>()
  const isFinal = own !== undefined && !canChange(own, Date.now())
  const vote = async (value: Value): Promise<void> => {
    setPending(value)
    setProblem(undefined)
    try {
      const input = { expressionId, value, ...(own?.pass !== undefined && { voterToken: own.pass }) }
      const { castPublicVote } = await mutated(CastPublicVoteDocument, { input })
      if (castPublicVote == null) return
      const cast = { value, pass: castPublicVote.voterToken, until: Date.parse(castPublicVote.voterTokenExpiresAt) }
      storeOwnVote(expressionId, cast)
      setOwn(cast)
      setCounts(castPublicVote.expression.votes)
    } catch (error) {
      // a vote without the pass would count as a second voter's
      const reason = isPassRefused(error)
        ? word('vote.elsewhere')
        : problemsOf(errorOf(error), words)
            .map(({ sentence }) => sentence)
            .join(' ')
      setProblem(word('vote.failed', { reason }))
    } finally {
      setPending(undefined)
    }
  }
  const state = own !== undefined && word(isFinal ? 'vote.final' : 'vote.cast')
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form */}
      <div className="row votes" role="group" aria-label={word('vote')}>
        {values.map(([value, name]) => (
          <Button
            key={value}
            className="button plain small"
            aria-pressed={own?.value === value}
            isPending={pending === value}
            isDisabled={isFinal || (pending !== undefined && pending !== value)}
            onPress={() => void vote(value)}
          >
            {word(`vote.${name}`)} {compact(counts[name])}
          </Button>
        ))}
      </div>
      <VoteClasses votes={counts} />
      <p role="status" className={problem === undefined ? 'quiet' : 'problem'}>
        {problem ?? state}
      </p>
    </>
  )
}
