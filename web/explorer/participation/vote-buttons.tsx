import { CastPublicVoteDocument, type CastPublicVoteInput } from '@civigraph/client/documents'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { sentencesOf } from '../../components/problem.tsx'
import { done } from '../reading/graph.ts'
import { useFormats } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { keepVoterPass, voterPass } from './voter-pass.ts'

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

/** The votes on an expression, and a vote of one's own: under a pseudonym of this browser, and to be changed. */
export function VoteButtons({ expressionId, votes }: { expressionId: string; votes: Votes }) {
  const { word } = useWords()
  const { compact } = useFormats()
  const [counts, setCounts] = useState(votes)
  const [own, setOwn] = useState<Value>()
  const [pending, setPending] = useState<Value>()
  const [problem, setProblem] = useState<string>()
  const vote = async (value: Value): Promise<void> => {
    setPending(value)
    setProblem(undefined)
    try {
      const pass = voterPass()
      const { castPublicVote } = await done(CastPublicVoteDocument, { input: { expressionId, value, ...(pass !== undefined && { pass }) } })
      if (castPublicVote == null) return
      keepVoterPass(castPublicVote.pass)
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
