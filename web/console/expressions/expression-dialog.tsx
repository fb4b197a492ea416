import {
  CorrectClassificationDocument,
  type ExpressionsQuery,
  type SentimentLabel,
  WithdrawExpressionDocument,
} from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { useDomainOptions } from '../delegations/domain-options.ts'
import { useWords } from '../words/words.ts'
import { useModerationWords } from './moderation-words.ts'
import { noWithdrawal, reasonOf, type Withdrawal, WithdrawalFields } from './withdrawal-fields.tsx'

export type Expression = NonNullable<ExpressionsQuery['expressions']>['nodes'][number]

const noDomain = 'none'
const sentiments: readonly SentimentLabel[] = ['POSITIVE', 'NEUTRAL', 'NEGATIVE']

export interface ExpressionDialogProps {
  readonly expression: Expression
  /** withdrawn by another user in the meantime: its text is no longer shown */
  readonly isWithdrawn: boolean
  readonly onClose: () => void
  readonly onCorrected: () => void
  readonly onWithdrawn: () => void
}

/** One expression with its classification, to be corrected or withdrawn. */
export function ExpressionDialog({ expression, isWithdrawn, onClose, onCorrected, onWithdrawn }: ExpressionDialogProps) {
  const { word, named } = useWords()
  const moderation = useModerationWords()
  const domains = useDomainOptions()
  const [correction, correct] = useMutation(CorrectClassificationDocument)
  const [withdrawal, withdraw] = useMutation(WithdrawExpressionDocument)
  const decided = expression.classification?.subDomain?.domain.id ?? expression.classification?.domain?.domain.id ?? noDomain
  const [domain, setDomain] = useState(decided)
  const [sentiment, setSentiment] = useState<string>(expression.sentiment?.label ?? noDomain)
  /** false: the user cancelled */
  const [isWithdrawing, setWithdrawing] = useState<boolean>()
  const [why, setWhy] = useState<Withdrawal>(noWithdrawal)
  const [isRestorable, setRestorable] = useState(true)
  const [problem, setProblem] = useState<string>()

  const save = async (): Promise<void> => {
    const { data: done } = await correct({
      input: {
        id: expression.id,
        ...(domain !== decided && { domainId: domain === noDomain ? null : domain }),
        ...(sentiment !== noDomain && { sentiment: sentiment as SentimentLabel }),
      },
    })
    if (done?.correctClassification != null) onCorrected()
  }
  const remove = async (): Promise<void> => {
    const isMissing = isRestorable && why.reason === ''
    setProblem(isMissing ? moderation.word('moderation.choose-reason') : undefined)
    if (isMissing) return
    const { data: done } = await withdraw({ input: { id: expression.id, ...(isRestorable && { isRestorable, ...reasonOf(why) }) } })
    if (done?.withdrawExpression != null) onWithdrawn()
  }
  if (isWithdrawn)
    return (
      <Dialog title={word('expression.title')} isOpen onClose={onClose}>
        <FocusedText>{word('expression.withdrawn')}</FocusedText>
        <div className="row">
          <Button onPress={onClose}>{word('close')}</Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={word('expression.title')} isOpen onClose={onClose}>
      <blockquote dir="auto" lang={expression.lang?.code}>
        {expression.text}
      </blockquote>
      <div className="column">
        <Choice
          label={word('expressions.domain')}
          value={domain}
          onChange={setDomain}
          options={[{ id: noDomain, text: word('expression.no-domain') }, ...domains]}
        />
        <Choice
          label={word('expressions.sentiment')}
          value={sentiment}
          onChange={setSentiment}
          options={[
            ...(expression.sentiment?.label == null ? [{ id: noDomain, text: word('expression.no-sentiment') }] : []),
            ...sentiments.map((id) => ({ id, text: named('sentiment', id) })),
          ]}
        />
        <Problem error={correction.error ?? withdrawal.error} />
        {isWithdrawing ? (
          <>
            <FocusedText>{moderation.word('moderation.withdraw-lede')}</FocusedText>
            <fieldset>
              <legend>{moderation.word('moderation.how')}</legend>
              <label className="check">
                <input type="radio" name="how" checked={isRestorable} onChange={() => setRestorable(true)} />
                {moderation.word('moderation.restorable')}
              </label>
              <label className="check">
                <input type="radio" name="how" checked={!isRestorable} onChange={() => setRestorable(false)} />
                {moderation.word('moderation.at-once')}
              </label>
            </fieldset>
            {isRestorable && <WithdrawalFields value={why} problem={problem} onChange={setWhy} />}
            <div className="row">
              <Button onPress={() => setWithdrawing(false)}>{word('cancel')}</Button>
              <Button look="danger" isPending={withdrawal.fetching} onPress={() => void remove()}>
                {word('expression.withdraw')}
              </Button>
            </div>
          </>
        ) : (
          <div className="row">
            <Button onPress={onClose}>{word('close')}</Button>
            <Button look="danger" onPress={() => setWithdrawing(true)} autoFocus={isWithdrawing === false}>
              {word('expression.withdraw')}
            </Button>
            <Button look="main" isPending={correction.fetching} onPress={() => void save()}>
              {word('expression.save')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
