import { DecideReviewDocument, type ReviewReason } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { useWords } from '../words/words.ts'

const rejections: readonly ReviewReason[] = [
  'OTHER_PERSON',
  'DATA_CONTRADICTED',
  'DOCUMENT_FORGED',
  'DOCUMENT_EXPIRED',
  'DOCUMENT_UNUSABLE',
  'DUPLICATE',
  'OTHER',
]
const noteLength = 2000

/**
 * The reviewer's decision, its reason and a note.
 * @param onDecided - called with whether this settles the case or a second reviewer must agree
 */
export function DecisionForm({ jobId, onDecided }: { jobId: string; onDecided: (settled: boolean) => void }) {
  const { word, named } = useWords()
  const [{ error, fetching }, decide] = useMutation(DecideReviewDocument)
  const [reason, setReason] = useState<ReviewReason>('CONFIRMED')
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim()
    const decision = reason === 'CONFIRMED' ? 'VERIFIED' : 'REJECTED'
    const { data } = await decide({ input: { jobId, decision, reason, ...(note !== '' && { note }) } })
    if (data?.decideReview != null) onDecided(data.decideReview.settled)
  }
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">{word('review.decision')}</h2>
      <form className="column" onSubmit={submit}>
        <Choice
          label={word('review.what')}
          value={reason}
          onChange={(id) => setReason(id as ReviewReason)}
          options={[
            { id: 'CONFIRMED', text: word('review.confirm') },
            ...rejections.map((id) => ({ id, text: word('review.reject-as', { reason: named('decision', id) }) })),
          ]}
        />
        <Field label={word('review.note')} name="note" help={word('review.note-help')} isLong maxLength={noteLength} />
        <Problem error={error} />
        <Button type="submit" look={reason === 'CONFIRMED' ? 'main' : 'danger'} isPending={fetching}>
          {word(reason === 'CONFIRMED' ? 'review.verify' : 'review.reject')}
        </Button>
      </form>
    </section>
  )
}
