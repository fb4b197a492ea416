import { type VerificationJobFilterInput, VerificationJobsDocument, type VerificationJobsQuery } from '@civigraph/client/documents'
import { useMemo } from 'react'
import { column, PagedTable } from '../../components/data-table.tsx'
import { type Pages, usePages } from '../../shared/graph/pages.ts'
import { Code } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import { OutcomeBadge } from './checks.tsx'

type Job = NonNullable<VerificationJobsQuery['verificationJobs']>['nodes'][number]
const connectionOf = ({ verificationJobs }: VerificationJobsQuery) => verificationJobs

/** Loads the verifications that match, newest first. */
export const useVerifications = (filter: VerificationJobFilterInput): Pages<Job> =>
  usePages(VerificationJobsDocument, { first: 50, filter }, connectionOf)

/** A list of verifications; each leads to its file. */
export function VerificationTable({ pages }: { pages: Pages<Job> }) {
  const { word, named, date, list } = useWords()
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
      column<Job>('outcome', word('verification.outcome'), ({ outcome, status }) => <OutcomeBadge outcome={outcome} status={status} />),
      column<Job>('sent', word('verification.sent'), ({ queuedAt }) => date(queuedAt)),
      column<Job>('completed', word('verification.completed'), ({ completedAt }) => (completedAt === null ? '' : date(completedAt))),
    ],
    [word, named, date, list],
  )
  return (
    <PagedTable
      pages={pages}
      caption={word('verifications.title')}
      columns={columns}
      keyOf={({ id }) => id}
      empty={word('verifications.empty')}
    />
  )
}
