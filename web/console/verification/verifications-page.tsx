import {
  VerificationJobsDocument,
  type VerificationJobsQuery,
  type VerificationOutcome,
  type VerificationStatus,
} from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'
import { kindOfOutcome } from './checks.tsx'

type Job = NonNullable<VerificationJobsQuery['verificationJobs']>['nodes'][number]
const connectionOf = ({ verificationJobs }: VerificationJobsQuery) => verificationJobs
const any = 'any'
const statuses: readonly VerificationStatus[] = ['QUEUED', 'PROCESSING', 'COMPLETED', 'ERROR']
const outcomes: readonly VerificationOutcome[] = ['VERIFIED', 'PENDING_REVIEW', 'REJECTED', 'ERROR']

/** The verifications of all services, newest first. */
export function VerificationsPage() {
  const { word, named, date } = useWords()
  const [status, setStatus] = useState(any)
  const [outcome, setOutcome] = useState(any)
  const filter = {
    ...(status !== any && { status: status as VerificationStatus }),
    ...(outcome !== any && { outcome: outcome as VerificationOutcome }),
  }
  const pages = usePages(VerificationJobsDocument, { first: 50, filter }, connectionOf)
  useTitle(word('verifications.title'))
  const columns = useMemo(
    () => [
      column<Job>('citizen', word('review.citizen'), ({ id, citizen }) => (
        <a href={`#/verifications/${encodeURIComponent(id)}`}>{citizen.code}</a>
      )),
      column<Job>('document', word('review.document'), ({ documentType }) => named('document', documentType)),
      column<Job>('outcome', word('verification.outcome'), ({ outcome, status: at }) => (
        <Badge kind={kindOfOutcome(outcome)}>{named('outcome', outcome ?? at)}</Badge>
      )),
      column<Job>('sent', word('verification.sent'), ({ queuedAt }) => date(queuedAt)),
      column<Job>('completed', word('verification.completed'), ({ completedAt }) => (completedAt === null ? '' : date(completedAt))),
    ],
    [word, named, date],
  )
  const optionsOf = (ids: readonly string[]) => [{ id: any, text: word('any') }, ...ids.map((id) => ({ id, text: named('outcome', id) }))]
  return (
    <>
      <h1>{word('verifications.title')}</h1>
      <p className="lede">{word('verifications.lede')}</p>
      <div className="filters">
        <Choice label={word('verifications.status')} options={optionsOf(statuses)} value={status} onChange={setStatus} />
        <Choice label={word('verification.outcome')} options={optionsOf(outcomes)} value={outcome} onChange={setOutcome} />
        <Button onPress={pages.reload}>{word('reload')}</Button>
      </div>
      <Problem error={pages.problem} />
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
