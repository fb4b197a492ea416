import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { errorOf } from '../../shared/frame/fault-boundary.tsx'
import { ChecksTable } from '../../shared/verification/checks-table.tsx'
import { findingsOf } from '../../shared/verification/findings.ts'
import type { Result, VerificationService } from '../progress/verification-service.ts'
import { useWords } from '../words/words.ts'
import { AnswerPanel } from './answer-panel.tsx'
import { CheckSummary } from './check-summary.tsx'
import { Reasons } from './reasons.tsx'
import { Scores } from './scores.tsx'

export interface ResultPageProps {
  readonly result: Result
  readonly service: VerificationService
  /** back to the form, with its input */
  readonly onLeave: () => void
  /** back to an empty form */
  readonly onRestart: () => void
}

const states = { VERIFIED: 'good', PENDING_REVIEW: 'warn', REJECTED: 'bad', ERROR: 'bad' } as const

/** The result for the citizen: outcome, reasons and next steps; beside it the JSON for developers. */
export function ResultPage({ result, service, onLeave, onRestart }: ResultPageProps) {
  const { word, date, number } = useWords()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const { job } = result
  const verification = job.result
  if (verification == null) return null
  const { outcome, crossValidations, scores, failure, review } = verification
  const isReviewed = review !== null && review.reason !== 'BETTER_PHOTOGRAPHS'
  // a reviewer's decision replaces what the automatic checks found
  const findings = crossValidations === null || isReviewed ? [] : findingsOf(crossValidations, outcome)
  const decision = isReviewed && outcome === 'REJECTED' ? review.reason : null
  return (
    <>
      <p className="unprinted">
        <button type="button" className="link" onClick={onLeave}>
          {word('result.back')}
        </button>
      </p>
      <div className="sides result">
        <div>
          <div className="outcome" data-state={states[outcome]}>
            <h1 ref={title} tabIndex={-1}>
              {word(`outcome.${outcome}`)}
            </h1>
            <p>{word(`outcome.${outcome}-means`)}</p>
          </div>
          <Reasons findings={findings} decision={decision} failure={failure} />
          <h2>{word('next.title')}</h2>
          <p>{word(`outcome.${outcome}-next`)}</p>
          <div className="row unprinted">
            {outcome !== 'VERIFIED' && (
              <Button look="main" onPress={onLeave}>
                {word('result.again')}
              </Button>
            )}
            <Button look={outcome === 'VERIFIED' ? 'main' : 'plain'} onPress={onRestart}>
              {word('result.another')}
            </Button>
            <Button look="plain" onPress={() => print()}>
              {word('result.print')}
            </Button>
          </div>
          {crossValidations != null && <CheckSummary validations={crossValidations} />}
          {scores != null && <Scores scores={scores} />}
          {crossValidations != null && (
            <details className="more">
              <summary>{word('result.checks')}</summary>
              <ChecksTable validations={crossValidations} />
            </details>
          )}
          <h2>{word('result.job')}</h2>
          <dl className="facts">
            <dt>{word('result.number')}</dt>
            <dd>
              <code>{job.id}</code>
            </dd>
            <dt>{word('result.citizen')}</dt>
            <dd>
              <bdi>{verification.job?.citizen.code}</bdi>
            </dd>
            <dt>{word('result.finished')}</dt>
            <dd>{date(verification.completedAt)}</dd>
            <dt>{word('result.took')}</dt>
            <dd>{word('result.seconds', { seconds: number(Math.round(verification.processingTimeMs / 100) / 10) })}</dd>
          </dl>
          <Acknowledgement jobId={job.id} service={service} />
        </div>
        <AnswerPanel result={result} />
      </div>
    </>
  )
}

function Acknowledgement({ jobId, service }: { jobId: string; service: VerificationService }) {
  const { word } = useWords()
  const [state, setState] = useState<'waiting' | 'pending' | 'done'>('waiting')
  const [error, setError] = useState<Error>()
  const acknowledge = async (): Promise<void> => {
    setState('pending')
    setError(undefined)
    try {
      await service.acknowledge(jobId)
      setState('done')
    } catch (thrown) {
      setError(errorOf(thrown))
      setState('waiting')
    }
  }
  return (
    <div className="unprinted">
      <p role="status">{word(state === 'done' ? 'acknowledge.done' : 'acknowledge.about')}</p>
      <Problem error={error} />
      {state !== 'done' && (
        <Button look="plain" isPending={state === 'pending'} onPress={() => void acknowledge()}>
          {word('acknowledge.do')}
        </Button>
      )}
    </div>
  )
}
