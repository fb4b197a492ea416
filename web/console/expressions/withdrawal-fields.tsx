import type { ModerationReason } from '@civigraph/client/documents'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { moderationReasons, useModerationWords } from './moderation-words.ts'

/** Why an expression is withdrawn; an empty reason is not chosen yet. */
export interface Withdrawal {
  readonly reason: string
  readonly note: string
}

export const noWithdrawal: Withdrawal = { reason: '', note: '' }
const noteLength = 1000

/** Returns a chosen reason, and the note if there is one, as input of a mutation. */
export const reasonOf = ({ reason, note }: Withdrawal): { readonly reason: ModerationReason; readonly note?: string } => ({
  reason: reason as ModerationReason,
  ...(note.trim() !== '' && { note: note.trim() }),
})

export interface WithdrawalFieldsProps {
  readonly value: Withdrawal
  readonly problem: string | undefined
  readonly onChange: (value: Withdrawal) => void
}

/** Reason and note of a withdrawal. */
export function WithdrawalFields({ value, problem, onChange }: WithdrawalFieldsProps) {
  const { word, named } = useModerationWords()
  return (
    <>
      <Choice
        label={word('moderation.reason')}
        placeholder={word('moderation.choose-reason')}
        value={value.reason}
        problem={problem}
        onChange={(reason) => onChange({ ...value, reason })}
        options={moderationReasons.map((id) => ({ id, text: named('moderation-reason', id) }))}
      />
      <Field
        label={word('moderation.note')}
        mark={word('optional')}
        value={value.note}
        onChange={(note) => onChange({ ...value, note })}
        help={word('moderation.note-help')}
        isLong
        maxLength={noteLength}
      />
    </>
  )
}
