import {
  DecideModerationCaseDocument,
  type ModerationDecision,
  type ModerationQueueQuery,
  type ModerationState,
} from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
import { useModerationWords } from './moderation-words.ts'
import { noWithdrawal, reasonOf, type Withdrawal, WithdrawalFields } from './withdrawal-fields.tsx'

/** A case that waits for a moderator. */
export type ModerationCase = NonNullable<ModerationQueueQuery['moderationQueue']>['nodes'][number]

export interface DecisionDialogProps {
  readonly waiting: ModerationCase
  readonly onClose: () => void
  /** the case was decided or erased elsewhere */
  readonly onStale: () => void
  readonly onDecided: (state: ModerationState) => void
}

/** One expression with its reports, and the decision about it; nothing is preselected. */
export function DecisionDialog({ waiting, onClose, onStale, onDecided }: DecisionDialogProps) {
  const { word, named, date, list, number } = useModerationWords()
  const [{ error, fetching }, decide] = useMutation(DecideModerationCaseDocument)
  const [decision, setDecision] = useState<ModerationDecision>()
  const [withdrawal, setWithdrawal] = useState<Withdrawal>(noWithdrawal)
  const [problems, setProblems] = useState<{ readonly decision?: string; readonly reason?: string }>({})
  const { id, text, lang, isHeld, toxicity, reportCount, reports, createdAt } = waiting
  const decisions: readonly ModerationDecision[] = [isHeld ? 'RELEASE' : 'LEAVE', 'WITHDRAW']
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const isWithdrawal = decision === 'WITHDRAW'
    const missing = {
      ...(decision === undefined && { decision: word('moderation.choose') }),
      ...(isWithdrawal && withdrawal.reason === '' && { reason: word('moderation.choose-reason') }),
    }
    setProblems(missing)
    if (decision === undefined || Object.keys(missing).length > 0) return
    const { data, error: refusal } = await decide({ input: { id, decision, ...(isWithdrawal && reasonOf(withdrawal)) } })
    if (data?.decideModerationCase != null) onDecided(data.decideModerationCase.case.state)
    else if (refusal?.graphQLErrors.some(({ extensions }) => extensions.code === 'CONFLICT' || extensions.code === 'NOT_FOUND')) onStale()
  }
  return (
    <Dialog title={word('moderation.case')} isOpen onClose={onClose}>
      <blockquote dir="auto" lang={lang ?? undefined}>
        {text}
      </blockquote>
      <dl className="facts">
        <dt>{word('moderation.publication')}</dt>
        <dd>{word(isHeld ? 'moderation.held-means' : 'moderation.public')}</dd>
        {createdAt !== null && (
          <>
            <dt>{word('moderation.said')}</dt>
            <dd>{date(createdAt)}</dd>
          </>
        )}
        {toxicity !== null && (
          <>
            <dt>{word('moderation.toxicity')}</dt>
            <dd>
              {list([`${number(Math.round(100 * toxicity.score))}\u00a0%`, ...toxicity.flags.map((flag) => named('toxicity', flag))])}
            </dd>
          </>
        )}
      </dl>
      {reportCount > 0 && (
        <>
          <h3>{word('moderation.reports', { count: reportCount })}</h3>
          <ul className="lines">
            {(reports ?? []).map(({ reason, note, at }) => (
              <li key={`${at} ${reason} ${note}`}>
                {named('moderation-reason', reason)} <span className="quiet">{date(at)}</span>
                {note !== null && (
                  <p className="part" dir="auto">
                    {note}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <form className="column" onSubmit={(event) => void submit(event)} noValidate>
        <fieldset aria-describedby={problems.decision === undefined ? undefined : 'decision-problem'}>
          <legend>{word('moderation.what')}</legend>
          {problems.decision !== undefined && (
            <p className="bad" id="decision-problem" role="alert">
              {problems.decision}
            </p>
          )}
          {decisions.map((each) => (
            <label key={each} className="check">
              <input type="radio" name="decision" value={each} checked={decision === each} onChange={() => setDecision(each)} />
              {named('moderation-decision', each)}
            </label>
          ))}
        </fieldset>
        {decision === 'WITHDRAW' && <WithdrawalFields value={withdrawal} problem={problems.reason} onChange={setWithdrawal} />}
        <Problem error={error} />
        <div className="row">
          <Button onPress={onClose}>{word('close')}</Button>
          <Button type="submit" look={decision === 'WITHDRAW' ? 'danger' : 'main'} isPending={fetching}>
            {word('moderation.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
