import {
  ClaimReviewDocument,
  ReleaseReviewDocument,
  type ReviewCaseFieldsFragment,
  ReviewImagesDocument,
} from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { Checks } from '../verification/checks.tsx'
import { useWords } from '../words/words.ts'
import { DecisionForm } from './decision-form.tsx'
import { ReviewPictures } from './review-pictures.tsx'

/**
 * One case under review. Nothing is shown before the reviewer claims it, because access to its images is audited; a claim lasts 15 minutes.
 */
export function ReviewCasePage({ jobId }: { jobId: string }) {
  const { word, date } = useWords()
  const [, go] = useLocation()
  const [claim, claimReview] = useMutation(ClaimReviewDocument)
  // survives a failed extension, so that the reviewer's input is not lost
  const [review, setReview] = useState<ReviewCaseFieldsFragment>()
  const [, release] = useMutation(ReleaseReviewDocument)
  const [settled, setSettled] = useState<boolean>()
  useTitle(word('review.one'))
  const isClaimed = review !== undefined
  useEffect(() => {
    // the pressed button has been removed
    if (isClaimed) focusContent()
  }, [isClaimed])
  const claimCase = async (): Promise<void> => {
    const { data } = await claimReview({ input: { jobId } })
    if (data?.claimReview != null) setReview(data.claimReview.review)
  }
  const releaseCase = async (): Promise<void> => {
    await release({ input: { jobId } })
    go('/review')
  }
  if (settled !== undefined)
    return (
      <>
        <h1>{word('review.decided')}</h1>
        <FocusedText>{word(settled ? 'review.settled' : 'review.another')}</FocusedText>
        <p>
          <a className="button main" href="#/review">
            {word('review.next')}
          </a>
        </p>
      </>
    )
  return (
    <>
      <p>
        <a href="#/review">{word('review.back')}</a>
      </p>
      <h1>{review === undefined ? word('review.one') : word('review.of', { code: review.citizen.code })}</h1>
      <Problem error={claim.error} />
      {review === undefined ? (
        <>
          <p className="lede">{word('review.take-help')}</p>
          <Button look="main" isPending={claim.fetching} onPress={() => void claimCase()}>
            {word('review.take')}
          </Button>
        </>
      ) : (
        <>
          <p role="status">
            {review.claim !== null && word('review.yours-until', { moment: date(review.claim.until) })}{' '}
            <Button onPress={() => void claimCase()}>{word('review.extend')}</Button>{' '}
            <Button onPress={() => void releaseCase()}>{word('review.release')}</Button>
          </p>
          <Evidence jobId={jobId} />
          <DecisionForm jobId={jobId} onDecided={setSettled} />
        </>
      )}
    </>
  )
}

function Evidence({ jobId }: { jobId: string }) {
  const { word, named, list } = useWords()
  const [{ data, error, fetching }] = useQuery({ query: ReviewImagesDocument, variables: { jobId }, requestPolicy: 'network-only' })
  if (error !== undefined) return <Problem error={error} />
  if (fetching || data?.reviewImages == null) return <p role="status">{word('loading')}</p>
  const { images, frames, declaredIdentity: declared, crossValidations, possibleDuplicates } = data.reviewImages
  return (
    <>
      <ReviewPictures images={images} frames={frames} />
      <section aria-labelledby="declared">
        <h2 id="declared">{word('review.declared')}</h2>
        <dl className="pairs">
          <dt>{word('person.name')}</dt>
          <dd dir="auto">
            {declared.firstName} {declared.lastName}
          </dd>
          {declared.dateOfBirth !== null && (
            <>
              <dt>{word('person.born')}</dt>
              <dd>{declared.dateOfBirth}</dd>
            </>
          )}
          {declared.declaredGender !== null && (
            <>
              <dt>{word('person.gender')}</dt>
              <dd>{named('gender', declared.declaredGender)}</dd>
            </>
          )}
          {declared.nationality !== null && (
            <>
              <dt>{word('person.nationality')}</dt>
              <dd>{declared.nationality}</dd>
            </>
          )}
          {possibleDuplicates.length > 0 && (
            <>
              <dt>{word('review.duplicates')}</dt>
              <dd>{list(possibleDuplicates.map(({ code }) => code))}</dd>
            </>
          )}
        </dl>
      </section>
      {crossValidations !== null && (
        <section aria-labelledby="found">
          <h2 id="found">{word('checks.title')}</h2>
          <Checks validations={crossValidations} />
        </section>
      )}
    </>
  )
}
