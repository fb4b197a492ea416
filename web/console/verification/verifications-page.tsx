import {
  VerificationJobsDocument,
  type VerificationJobsQuery,
  type VerificationOutcome,
  type VerificationStatus,
} from '@civigraph/client/documents'
import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { Code } from '../codes/citizen-link.tsx'
import { dayRange } from '../day-range.ts'
import { useWords } from '../words/words.ts'
import { kindOfOutcome } from './checks.tsx'

type Job = NonNullable<VerificationJobsQuery['verificationJobs']>['nodes'][number]
const connectionOf = ({ verificationJobs }: VerificationJobsQuery) => verificationJobs
const any = 'any'
const statuses: readonly VerificationStatus[] = ['QUEUED', 'PROCESSING', 'COMPLETED', 'ERROR']
const outcomes: readonly VerificationOutcome[] = ['VERIFIED', 'PENDING_REVIEW', 'REJECTED', 'ERROR']

/** The verifications of all services, newest first. */
export function VerificationsPage() {
  const { word, named, date, list } = useWords()
  const [status, setStatus] = useState(any)
  const [outcome, setOutcome] = useState(any)
  const [place, setPlace] = useState({ country: '', from: '', to: '' })
  const typed = useDeferredValue(place)
  const filter = {
    ...(status !== any && { status: status as VerificationStatus }),
    ...(outcome !== any && { outcome: outcome as VerificationOutcome }),
    ...(typed.country.trim() !== '' && { countryCode: typed.country.trim() }),
    ...dayRange(typed.from, typed.to),
  }
  const pages = usePages(VerificationJobsDocument, { first: 50, filter }, connectionOf)
  useTitle(word('verifications.title'))
  const columns = useMemo(
    () => [
      column<Job>('citizen', word('review.citizen'), ({ id, citizen }) => (
        <a href={`#/verifications/${encodeURIComponent(id)}`}>
          <Code code={citizen.code} />
        </a>
      )),
      column<Job>('document', word('review.document'), ({ documentType, countryCode }) =>
        list([named('document', documentType), countryCode]),
      ),
      column<Job>('outcome', word('verification.outcome'), ({ outcome, status: at }) => (
        <Badge kind={kindOfOutcome(outcome)}>{named('outcome', outcome ?? at)}</Badge>
      )),
      column<Job>('sent', word('verification.sent'), ({ queuedAt }) => date(queuedAt)),
      column<Job>('completed', word('verification.completed'), ({ completedAt }) => (completedAt === null ? '' : date(completedAt))),
    ],
    [word, named, date, list],
  )
  const optionsOf = (ids: readonly string[]) => [{ id: any, text: word('any') }, ...ids.map((id) => ({ id, text: named('outcome', id) }))]
  return (
    <>
      <h1>{word('verifications.title')}</h1>
      <p className="lede">{word('verifications.lede')}</p>
      <div className="filters">
        <Choice label={word('verifications.status')} options={optionsOf(statuses)} value={status} onChange={setStatus} />
        <Choice label={word('verification.outcome')} options={optionsOf(outcomes)} value={outcome} onChange={setOutcome} />
        <Field
          label={word('verifications.country')}
          value={place.country}
          onChange={(country) => setPlace({ ...place, country })}
          autoComplete="off"
        />
        <Field label={word('from-day')} type="date" value={place.from} onChange={(from) => setPlace({ ...place, from })} />
        <Field label={word('to-day')} type="date" value={place.to} onChange={(to) => setPlace({ ...place, to })} />
        <Button onPress={pages.reload}>{word('reload')}</Button>
      </div>
      <PagedTable
        pages={pages}
        caption={word('verifications.title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={word('verifications.empty')}
      />
    </>
  )
}
