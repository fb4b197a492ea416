import {
  OwnReviewDecisionsDocument,
  type OwnReviewDecisionsQuery,
  type ReviewDecision,
  type ReviewReason,
  SendReviewDecisionDocument,
  UndoReviewDecisionDocument,
} from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import { draftsOf, noDraft } from './review-filter.ts'

/** A decision that the reviewer has just made. */
export interface ConfirmedDecision {
  readonly jobId: string
  readonly code: string
  readonly decision: ReviewDecision
  readonly reason: ReviewReason
  /** false: another reviewer must decide */
  readonly isSettled: boolean
  /** until then it can be undone; null: it was sent */
  readonly heldUntil: string | null
}

export interface ConfirmationProps {
  readonly decided: ConfirmedDecision
  readonly onUndone: () => void
  readonly onSent: (decided: ConfirmedDecision) => void
}

/** Names the citizen and the outcome of a decision, with undo while it is held. */
export function Confirmation({ decided, onUndone, onSent }: ConfirmationProps) {
  const { word, named, date } = useWords()
  const { code, decision, reason, isSettled, heldUntil, jobId } = decided
  return (
    <div className="notice good">
      <h2>{word('review.decided')}</h2>
      <FocusedText>
        {word('review.outcome-of', { code, decision: named('decided', decision), reason: named('decision', reason) })}{' '}
        {!isSettled && word('review.another')}
        {isSettled && (heldUntil === null ? word('review.settled') : word('review.held', { moment: date(heldUntil) }))}
      </FocusedText>
      {heldUntil !== null && <HeldActions jobId={jobId} onUndone={onUndone} onSent={() => onSent({ ...decided, heldUntil: null })} />}
    </div>
  )
}

function HeldActions({ jobId, onUndone, onSent }: { jobId: string; onUndone: () => void; onSent: () => void }) {
  const { word } = useWords()
  const { signedIn } = useSession()
  const [undo, undoDecision] = useMutation(UndoReviewDecisionDocument)
  const [send, sendDecision] = useMutation(SendReviewDecisionDocument)
  const undoNow = async (): Promise<void> => {
    const { data } = await undoDecision({ input: { jobId } })
    if (data?.undoReviewDecision == null) return
    const { note } = data.undoReviewDecision
    if (note !== null) draftsOf(signedIn?.administrator.id ?? '').write(jobId, { ...noDraft, note })
    onUndone()
  }
  const sendNow = async (): Promise<void> => {
    const { data } = await sendDecision({ input: { jobId } })
    if (data?.sendReviewDecision != null) onSent()
  }
  return (
    <>
      <div className="row">
        <Button isPending={undo.fetching} onPress={() => void undoNow()}>
          {word('review.undo')}
        </Button>
        <Button isPending={send.fetching} onPress={() => void sendNow()}>
          {word('review.send')}
        </Button>
      </div>
      <Problem error={undo.error ?? send.error} />
    </>
  )
}

type OwnDecision = NonNullable<OwnReviewDecisionsQuery['ownReviewDecisions']>[number]

/**
 * The reviewer's decisions of the last 24 hours.
 * @param reloadKey - the list is read again when it changes
 */
export function OwnDecisions({ reloadKey, onUndone }: { reloadKey: unknown; onUndone: (jobId: string) => void }) {
  const { word } = useWords()
  const [{ data }, reload] = useQuery({ query: OwnReviewDecisionsDocument, requestPolicy: 'network-only' })
  const own = data?.ownReviewDecisions ?? []
  useEffect(() => reload({ requestPolicy: 'network-only' }), [reloadKey, reload])
  const firstEnd = own.flatMap(({ heldUntil }) => heldUntil ?? []).sort()[0]
  useEffect(() => {
    if (firstEnd === undefined) return
    // the platform ends holds every few seconds
    const timer = setTimeout(() => reload({ requestPolicy: 'network-only' }), Math.max(5000, Date.parse(firstEnd) - Date.now() + 5000))
    return () => clearTimeout(timer)
  }, [firstEnd, reload])
  if (own.length === 0) return null
  return (
    <details className="own">
      <summary>{word('review.own', { count: own.length })}</summary>
      <ul className="lines">
        {own.map((each) => (
          <li key={`${each.job?.id} ${each.decidedAt}`}>
            <OwnDecisionEntry own={each} onUndone={onUndone} onSent={() => reload({ requestPolicy: 'network-only' })} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function OwnDecisionEntry({ own, onUndone, onSent }: { own: OwnDecision; onUndone: (jobId: string) => void; onSent: () => void }) {
  const { word, named, date } = useWords()
  const [isSent, setSent] = useState(false)
  const { citizen, decision, reason, decidedAt, state, heldUntil, job } = own
  return (
    <>
      <CitizenLink code={citizen.code} />: {named('decided', decision)}, {named('decision', reason)}.{' '}
      <span className="quiet">
        {date(decidedAt)}
        {state === 'WAITING' && ` ${word('review.another')}`}
      </span>
      {heldUntil !== null && job !== null && !isSent && (
        <HeldActions
          jobId={job.id}
          onUndone={() => onUndone(job.id)}
          onSent={() => {
            setSent(true)
            onSent()
          }}
        />
      )}
    </>
  )
}
