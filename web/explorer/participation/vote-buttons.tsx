import { CastPublicVoteDocument, type CastPublicVoteInput, type CastPublicVoteMutation } from '@civigraph/client/documents'
import { CombinedError } from '@urql/core'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { sentencesOf } from '../../components/problem.tsx'
import { done } from '../reading/graph.ts'
import { useFormats } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { keepOwnVote, keepVoterPass, ownVote, voterPass } from './voter-pass.ts'

export interface Votes {
  readonly agree: number
  readonly disagree: number
  readonly pass: number
}

type Value = CastPublicVoteInput['value']
const values = [
  ['AGREE', 'agree'],
  ['DISAGREE', 'disagree'],
  ['PASS', 'pass'],
] as const

/** With the pass of this browser; one that is not taken any more is given up for another. */
async function cast(expressionId: string, value: Value): Promise<CastPublicVoteMutation['castPublicVote']> {
  const pass = voterPass()
  const input = { expressionId, value, ...(pass !== undefined && { pass }) }
  try {
    return (await done(CastPublicVoteDocument, { input })).castPublicVote
  } catch (error) {
    if (pass === undefined || !(error instanceof CombinedError) || !error.graphQLErrors.some(isOfPass)) throw error
    keepVoterPass(undefined)
    return (await done(CastPublicVoteDocument, { input: { expressionId, value } })).castPublicVote
  }
}

const isOfPass = ({ extensions }: { readonly extensions?: Readonly<Record<string, unknown>> | undefined }): boolean =>
  Array.isArray(extensions?.entries) && extensions.entries.some((entry) => entry?.path?.at(-1) === 'pass')

/** The votes on an expression, and a vote of one's own: under a pseudonym of this browser, and to be changed. */
export function VoteButtons({ expressionId, votes }: { expressionId: string; votes: Votes }) {
  const { word } = useWords()
  const { compact } = useFormats()
  const [counts, setCounts] = useState(votes)
  const [own, setOwn] = useState(() => ownVote(expressionId))
  const [pending, setPending] = useState<Value>()
  const [problem, setProblem] = useState<string>()
  const vote = async (value: Value): Promise<void> => {
    setPending(value)
    setProblem(undefined)
    try {
      const castPublicVote = await cast(expressionId, value)
      if (castPublicVote == null) return
      keepVoterPass(castPublicVote.pass)
      keepOwnVote(expressionId, value)
      setOwn(value)
      setCounts(castPublicVote.expression.votes)
    } catch (error) {
      setProblem(sentencesOf(error as Error).join(' '))
    } finally {
      setPending(undefined)
    }
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form */}
      <div className="row votes" role="group" aria-label={word('vote')}>
        {values.map(([value, name]) => (
          <Button
            key={value}
            className="button plain small"
            aria-pressed={own === value}
            isPending={pending === value}
            isDisabled={pending !== undefined && pending !== value}
            onPress={() => void vote(value)}
          >
            {word(`vote.${name}`)} {compact(counts[name])}
          </Button>
        ))}
      </div>
      <p role="status" className={problem === undefined ? 'quiet' : 'problem'}>
        {problem !== undefined ? word('vote.failed', { reason: problem }) : own !== undefined && word('vote.cast')}
      </p>
    </>
  )
}
