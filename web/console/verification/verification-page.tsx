import { VerificationJobDocument } from '@civigraph/client/documents'
import { useQuery } from 'urql'
import { Problem } from '../../components/problem.tsx'
import { Badge, Metric } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useCheckWords } from '../../shared/verification/checks-table.tsx'
import { useWords } from '../words/words.ts'
import { Checks, kindOfOutcome } from './checks.tsx'

/** One verification: its outcome, the reasons against it, and every check with its measurements. */
export function VerificationPage({ jobId }: { jobId: string }) {
  const { word, named, date, number } = useWords()
  const { named: namedScore } = useCheckWords()
  const [{ data, error, fetching }] = useQuery({ query: VerificationJobDocument, variables: { id: jobId } })
  useTitle(word('verification.title'))
  const job = data?.verificationJob
  const result = job?.result
  const scores = Object.entries(result?.scores ?? {}).filter((each): each is [string, number] => typeof each[1] === 'number')
  return (
    <>
      <p>
        <a href="#/verifications">{word('verification.back')}</a>
      </p>
      <h1>{word('verification.title')}</h1>
      <p className="quiet">
        <code>{jobId}</code>
      </p>
      <Problem error={error} />
      {fetching && job === undefined && <p role="status">{word('loading')}</p>}
      {!fetching && error === undefined && job == null && <p role="status">{word('verification.none')}</p>}
      {job != null && (
        <>
          <dl className="pairs">
            <dt>{word('verification.outcome')}</dt>
            <dd>
              <Badge kind={kindOfOutcome(job.outcome)}>{named('outcome', job.outcome ?? job.status)}</Badge>
            </dd>
            {result?.job?.citizen !== undefined && (
              <>
                <dt>{word('review.citizen')}</dt>
                <dd>
                  <a href={`#/citizens/${encodeURIComponent(result.job.citizen.code)}`}>{result.job.citizen.code}</a>
                </dd>
              </>
            )}
            <dt>{word('verification.sent')}</dt>
            <dd>{date(job.queuedAt)}</dd>
            {job.completedAt !== null && (
              <>
                <dt>{word('verification.completed')}</dt>
                <dd>{date(job.completedAt)}</dd>
              </>
            )}
            {result?.failureReason != null && (
              <>
                <dt>{word('verification.failure')}</dt>
                <dd>{result.failureReason}</dd>
              </>
            )}
          </dl>
          {job.completedAt !== null && result == null && <p className="notice">{word('verification.gone')}</p>}
          {job.outcome === 'PENDING_REVIEW' && (
            <p>
              <a className="button main" href={`#/review/${encodeURIComponent(jobId)}`}>
                {word('verification.to-review')}
              </a>
            </p>
          )}
          {scores.length > 0 && (
            <section aria-labelledby="scores">
              <h2 id="scores">{word('verification.scores')}</h2>
              <dl className="metrics">
                {scores.map(([name, score]) => (
                  <Metric key={name} term={namedScore('score', name)} value={number(Math.round(score * 100) / 100)} />
                ))}
              </dl>
            </section>
          )}
          {result?.crossValidations != null && (
            <section aria-labelledby="checks">
              <h2 id="checks">{word('checks.title')}</h2>
              <Checks validations={result.crossValidations} />
            </section>
          )}
        </>
      )}
    </>
  )
}
