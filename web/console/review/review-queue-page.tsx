import { ReviewQueueDocument, type ReviewQueueQuery } from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'
import { reviewReasons } from './reasons.ts'

type ReviewCase = NonNullable<ReviewQueueQuery['reviewQueue']>['nodes'][number]
const connectionOf = ({ reviewQueue }: ReviewQueueQuery) => reviewQueue
const any = 'any'

/** The cases under review, longest waiting first. */
export function ReviewQueuePage() {
  const { word, named, date, list } = useWords()
  const [reason, setReason] = useState(any)
  const wanted = reviewReasons.find((each) => each === reason)
  const pages = usePages(ReviewQueueDocument, { first: 50, ...(wanted && { filter: { reason: wanted } }) }, connectionOf)
  useTitle(word('review.title'))
  const columns = useMemo(
    () => [
      column<ReviewCase>('citizen', word('review.citizen'), ({ citizen, job }) =>
        job === null ? citizen.code : <a href={`#/review/${encodeURIComponent(job.id)}`}>{citizen.code}</a>,
      ),
      column<ReviewCase>('document', word('review.document'), ({ documentType, countryCode }) =>
        list([named('document', documentType), countryCode]),
      ),
      column<ReviewCase>('reasons', word('review.reasons'), ({ reasons }) => reasons.map((each) => named('reason', each)).join(' · ')),
      column<ReviewCase>('since', word('review.since'), ({ waitingSince }) => date(waitingSince)),
      column<ReviewCase>('claim', word('review.claim'), ({ claim }) =>
        claim === null ? '' : <Badge kind={claim.isMine ? 'good' : 'plain'}>{word(claim.isMine ? 'review.mine' : 'review.other')}</Badge>,
      ),
    ],
    [word, named, date, list],
  )
  const options = [{ id: any, text: word('review.any-reason') }, ...reviewReasons.map((id) => ({ id, text: named('reason', id) }))]
  return (
    <>
      <h1>{word('review.title')}</h1>
      <p className="lede">{word('review.lede')}</p>
      <div className="filters">
        <Choice label={word('review.reason')} options={options} value={reason} onChange={setReason} />
      </div>
      <Problem error={pages.problem} />
      <PagedTable
        pages={pages}
        caption={word('review.title')}
        columns={columns}
        keyOf={({ job, waitingSince }) => job?.id ?? waitingSince}
        empty={word('review.empty')}
      />
    </>
  )
}
