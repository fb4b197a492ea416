import {
  ClaimReviewDocument,
  ReleaseReviewDocument,
  ReviewCaseDocument,
  type ReviewCaseFieldsFragment,
  ReviewImagesDocument,
} from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { ListState } from '../../components/list-state.tsx'
import { Problem } from '../../components/problem.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { Checks } from '../verification/checks.tsx'
import { useWords } from '../words/words.ts'
import { DecisionForm } from './decision-form.tsx'
import { IdentityTable } from './identity-table.tsx'
import type { ConfirmedDecision } from './own-decisions.tsx'
import { ReviewPictures } from './review-pictures.tsx'

export interface ReviewCaseProps {
  readonly jobId: string
  /** the case after this one */
  readonly next: string | undefined
  readonly onNext: () => void
  readonly onClaimed: () => void
  readonly onDecided: (decided: ConfirmedDecision) => void
}

/**
 * One case under review. Nothing is shown before the reviewer claims it, because access to its images is audited; a claim lasts 15 minutes, and a
 * case that the reviewer holds opens at once.
 */
export function ReviewCase({ jobId, next, onNext, onClaimed, onDecided }: ReviewCaseProps) {
  const { word, named, list, date, duration } = useWords()
  const [, go] = useLocation()
  const [{ data, error, fetching }, reload] = useQuery({ query: ReviewCaseDocument, variables: { jobId }, requestPolicy: 'network-only' })
  const [claim, claimReview] = useMutation(ClaimReviewDocument)
  // survives a failed extension, so that the reviewer's input is not lost
  const [claimed, setClaimed] = useState<ReviewCaseFieldsFragment>()
  const [released, release] = useMutation(ReleaseReviewDocument)
  const listed = data?.reviewCase
  const review = claimed ?? (listed?.claim?.isMine === true ? listed : undefined)
  const isOpen = review !== undefined
  useEffect(() => {
    // the pressed button has been removed
    if (isOpen) focusContent()
  }, [isOpen])
  const claimCase = async (): Promise<void> => {
    const { data: done } = await claimReview({ input: { jobId } })
    if (done?.claimReview == null) return
    setClaimed(done.claimReview.review)
    onClaimed()
  }
  const releaseCase = async (): Promise<void> => {
    const { data: done } = await release({ input: { jobId } })
    if (done?.releaseReview != null) go('/review')
  }
  const shown = review ?? listed
  return (
    <>
      <p className="row">
        <a href="#/review">{word('review.back')}</a>
        {next !== undefined && (
          <button type="button" className="link" aria-keyshortcuts="Alt+N" onClick={onNext}>
            {word('review.next-case')}
          </button>
        )}
      </p>
      <h1>{review === undefined ? word('review.one') : word('review.of', { code: review.citizen.code })}</h1>
      <Problem error={claim.error ?? released.error} />
      <ListState
        isLoading={fetching}
        isEmpty={data === undefined}
        problem={isOpen ? undefined : error}
        empty={word('loading')}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      {listed === null && !isOpen && <p className="notice">{word('review.over')}</p>}
      {shown != null && (
        <dl className="facts">
          <dt>{word('review.citizen')}</dt>
          <dd>
            <CitizenLink code={shown.citizen.code} />
          </dd>
          <dt>{word('review.document')}</dt>
          <dd>{list([named('document', shown.documentType), shown.countryCode])}</dd>
          <dt>{word('review.since')}</dt>
          <dd>
            {date(shown.waitingSince)} ({duration(Math.max(0, (Date.now() - Date.parse(shown.waitingSince)) / 1000))})
          </dd>
        </dl>
      )}
      {shown != null && review === undefined && (
        <>
          <p className="lede">{word(shown.claim === null ? 'review.take-help' : 'review.taken')}</p>
          <Button look="main" isPending={claim.fetching} onPress={() => void claimCase()}>
            {word('review.take')}
          </Button>
        </>
      )}
      {review !== undefined && (
        <>
          <p role="status" className="claim">
            {review.claim !== null && word('review.yours-until', { moment: date(review.claim.until) })}{' '}
            <button type="button" className="link" onClick={() => void claimCase()}>
              {word('review.extend')}
            </button>{' '}
            <button type="button" className="link" onClick={() => void releaseCase()}>
              {word('review.release')}
            </button>
          </p>
          <Evidence jobId={jobId} />
          <DecisionForm jobId={jobId} code={review.citizen.code} onNext={onNext} onDecided={onDecided} />
        </>
      )}
    </>
  )
}

function Evidence({ jobId }: { jobId: string }) {
  const { word } = useWords()
  const [{ data, error, fetching }, reload] = useQuery({ query: ReviewImagesDocument, variables: { jobId }, requestPolicy: 'network-only' })
  const evidence = data?.reviewImages
  return (
    <>
      <ListState
        isLoading={fetching}
        isEmpty={evidence == null}
        problem={error}
        empty={word('review.no-picture')}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      {evidence != null && (
        <>
          <ReviewPictures images={evidence.images} frames={evidence.frames} />
          <IdentityTable evidence={evidence} />
          {evidence.possibleDuplicates.length > 0 && (
            <section aria-labelledby="duplicates">
              <h2 id="duplicates">{word('review.duplicates')}</h2>
              <ul>
                {evidence.possibleDuplicates.map(({ code }) => (
                  <li key={code}>
                    <CitizenLink code={code} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          {evidence.crossValidations !== null && (
            <section aria-labelledby="found">
              <h2 id="found">{word('checks.title')}</h2>
              <Checks validations={evidence.crossValidations} outcome="PENDING_REVIEW" />
            </section>
          )}
        </>
      )}
    </>
  )
}
