import { ReviewQueueDocument, type ReviewQueueQuery } from '@civigraph/client/documents'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { focusContent } from '../../shared/frame/page-document.ts'
import { useMedia, useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useWords } from '../words/words.ts'
import { CaseList } from './case-list.tsx'
import { Confirmation, type ConfirmedDecision, OwnDecisions } from './own-decisions.tsx'
import { ReviewCase } from './review-case.tsx'
import { inputOf, noFilter } from './review-filter.ts'

const connectionOf = ({ reviewQueue }: ReviewQueueQuery) => reviewQueue

/** The cases under review, longest waiting first; an open case is shown beside them. @param isLate - lists those that have waited for a day */
export function ReviewPage({ jobId, isLate }: { jobId: string | undefined; isLate: boolean }) {
  const { word } = useWords()
  const [, go] = useLocation()
  const [filter, setFilter] = useState(noFilter)
  useEffect(() => {
    if (isLate) setFilter({ ...noFilter, minAgeMinutes: 1440 })
  }, [isLate])
  const wanted = useDeferredValue(filter)
  const pages = usePages(ReviewQueueDocument, { first: 50, filter: inputOf(wanted) }, connectionOf)
  const [decided, setDecided] = useState<ConfirmedDecision>()
  // not hidden but removed: a virtual table measures nothing while it is hidden
  const isWide = useMedia('(min-width: 60rem)')
  useTitle(word('review.title'))
  const seen = useRef(jobId)
  const isByDecision = useRef(false)
  useEffect(() => {
    // a decision moves the focus to its confirmation
    if (seen.current !== jobId && !isByDecision.current) focusContent()
    isByDecision.current = false
    seen.current = jobId
  }, [jobId])
  const open = (id: string): void => {
    setDecided(undefined)
    go(`/review/${encodeURIComponent(id)}`)
  }
  const next = nextOf(
    pages.rows.flatMap(({ job, claim }) => (job === null || (claim !== null && !claim.isMine) ? [] : [job.id])),
    jobId,
  )
  const undone = (id: string): void => {
    pages.reload()
    open(id)
  }
  return (
    <div className={jobId === undefined ? 'review' : 'review open'}>
      {(jobId !== undefined || decided !== undefined) && (
        <div className="case">
          {decided !== undefined && (
            <Confirmation key={decided.jobId} decided={decided} onUndone={() => undone(decided.jobId)} onSent={setDecided} />
          )}
          {jobId === undefined
            ? next === undefined && !pages.isLoading && <p>{word('review.none-left')}</p>
            : jobId !== decided?.jobId && (
                <ReviewCase
                  key={jobId}
                  jobId={jobId}
                  next={next}
                  onNext={() => (next === undefined ? go('/review') : open(next))}
                  onClaimed={() => setDecided(undefined)}
                  onDecided={(confirmed) => {
                    isByDecision.current = true
                    setDecided(confirmed)
                    pages.reload()
                    go(next === undefined ? '/review' : `/review/${encodeURIComponent(next)}`)
                  }}
                />
              )}
        </div>
      )}
      {(isWide || jobId === undefined) && (
        <div className="cases">
          {jobId === undefined ? <h1>{word('review.title')}</h1> : <h2>{word('review.cases')}</h2>}
          {jobId === undefined && <p className="lede">{word('review.lede')}</p>}
          <OwnDecisions reloadKey={decided} onUndone={undone} />
          <CaseList pages={pages} filter={filter} onFilter={setFilter} opened={jobId} />
        </div>
      )}
    </div>
  )
}

/** Returns the case after the open one; the first one when that is the last or not listed. */
function nextOf(ids: readonly string[], open: string | undefined): string | undefined {
  const others = ids.filter((id) => id !== open)
  const at = open === undefined ? -1 : ids.indexOf(open)
  return ids.slice(at + 1).find((id) => id !== open) ?? others[0]
}
