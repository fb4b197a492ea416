import { VerificationFileDocument, type VerificationFileQuery } from '@civigraph/client/documents'
import { useQuery } from 'urql'
import { ListState } from '../../components/list-state.tsx'
import { Metric } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useCheckWords } from '../../shared/verification/checks-table.tsx'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import { Checks, FindingList, OutcomeBadge } from './checks.tsx'

type Job = NonNullable<VerificationFileQuery['verificationJob']>
type Event = NonNullable<Job['timeline']>[number]

/** One verification: its outcome, its history with the decisions of persons, and what the automatic checks found. */
export function VerificationPage({ jobId }: { jobId: string }) {
  const { word } = useWords()
  const [{ data, error, fetching }, reload] = useQuery({ query: VerificationFileDocument, variables: { id: jobId } })
  useTitle(word('verification.title'))
  const job = data?.verificationJob
  return (
    <>
      <p>
        <a href="#/verifications">{word('verification.back')}</a>
      </p>
      <h1>{word('verification.title')}</h1>
      <p className="quiet">
        <code>{jobId}</code>
      </p>
      <ListState
        isLoading={fetching}
        isEmpty={job == null}
        problem={error}
        empty={word('verification.none')}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      {job != null && <JobDetails job={job} />}
    </>
  )
}

function JobDetails({ job }: { job: Job }) {
  const { word, named, list, number } = useWords()
  const { named: namedScore } = useCheckWords()
  const { id, outcome, result, reasons } = job
  const scores = Object.entries(result?.scores ?? {}).filter((each): each is [string, number] => typeof each[1] === 'number')
  const decided = job.timeline?.findLast(({ kind }) => kind === 'DECIDED')
  return (
    <>
      <dl className="pairs">
        <dt>{word('verification.outcome')}</dt>
        <dd>
          <OutcomeBadge outcome={outcome} status={job.status} /> {decided?.reason != null && named('decision', decided.reason)}
        </dd>
        <dt>{word('review.citizen')}</dt>
        <dd>
          <CitizenLink code={job.citizen.code} />
        </dd>
        <dt>{word('review.document')}</dt>
        <dd>{list([named('document', job.documentType), job.countryCode])}</dd>
        {job.failure != null && (
          <>
            <dt>{word('verification.failure')}</dt>
            <dd lang="en" dir="ltr">
              {job.failure.message}
            </dd>
          </>
        )}
      </dl>
      {outcome === 'PENDING_REVIEW' && decided === undefined && (
        <p>
          <a className="button main" href={`#/review/${encodeURIComponent(id)}`}>
            {word('verification.to-review')}
          </a>
        </p>
      )}
      <section aria-labelledby="history">
        <h2 id="history">{word('history.title')}</h2>
        <ol className="history">
          {job.timeline?.map((event) => (
            <HistoryEntry key={`${event.kind} ${event.at}`} event={event} />
          ))}
        </ol>
      </section>
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
      {result?.crossValidations != null ? (
        <section aria-labelledby="checks">
          <h2 id="checks">{word('checks.title')}</h2>
          {decided !== undefined && <p>{word('checks.before-decision')}</p>}
          {/* a person decides cases that the checks leave open */}
          <Checks validations={result.crossValidations} outcome={decided === undefined ? outcome : 'PENDING_REVIEW'} />
        </section>
      ) : (
        job.completedAt !== null && <RetainedReasons reasons={reasons} isDecided={decided !== undefined} outcome={outcome} />
      )}
    </>
  )
}

/** The reasons that outlive an acknowledged result. */
function RetainedReasons({ reasons, isDecided, outcome }: { reasons: Job['reasons']; isDecided: boolean; outcome: Job['outcome'] }) {
  const { word } = useWords()
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">{word('checks.title')}</h2>
      {reasons === null ? (
        <p className="notice">{word('verification.gone')}</p>
      ) : (
        <>
          <p>{word('verification.remains')}</p>
          <FindingList
            findings={reasons.map((reason, index) => ({ reason, isEstablished: !isDecided && outcome === 'REJECTED' && index === 0 }))}
          />
        </>
      )}
    </section>
  )
}

function HistoryEntry({ event }: { event: Event }) {
  const { word, named, date } = useWords()
  const { kind, at, service, outcome, decision, reason, note, heldUntil, administrator } = event
  const who = administrator?.name ?? administrator?.email ?? administrator?.id ?? word('history.a-reviewer')
  return (
    <li>
      <time dateTime={at}>{date(at)}</time>
      <div>
        {kind === 'SUBMITTED' && word('history.submitted', { service: service ?? '' })}
        {kind === 'CHECKED' && word('history.checked', { outcome: named('outcome', outcome ?? '') })}
        {kind === 'TAKEN' && word('history.taken', { who })}
        {kind === 'DECIDED' && (
          <>
            {word('history.decided', { who, decision: named('decided', decision ?? ''), reason: named('decision', reason ?? '') })}
            {note !== null && (
              <blockquote dir="auto">
                {word('review.note')}: {note}
              </blockquote>
            )}
            {heldUntil !== null && <p className="quiet">{word('history.held', { moment: date(heldUntil) })}</p>}
          </>
        )}
        {kind === 'COMPLETED' && word('history.completed', { outcome: named('outcome', outcome ?? '') })}
        {kind === 'FETCHED' && word('history.fetched', { service: service ?? '' })}
        {kind === 'ACKNOWLEDGED' && word('history.acknowledged', { service: service ?? '' })}
      </div>
    </li>
  )
}
