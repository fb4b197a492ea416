import { type ModerationReason, ReportExpressionDocument } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { FocusedText } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { dictionary } from '../../shared/words/language.tsx'
import { mutated } from '../reading/graph.ts'
import { useWords } from '../words/words.ts'
import ar from './report-words/ar.json' with { type: 'json' }
import en from './report-words/en.json' with { type: 'json' }
import fr from './report-words/fr.json' with { type: 'json' }

const useReportWords = dictionary({ fr, en, ar })

const reasons: readonly ModerationReason[] = ['INSULT', 'THREAT', 'HATE', 'PERSONAL_DATA', 'SPAM', 'OTHER']
const noteLength = 1000

/** Reports an expression to the moderators, with a reason and an optional note. */
export function ReportDialog({ expressionId, onClose }: { expressionId: string; onClose: () => void }) {
  const { word } = useWords()
  const { word: reportWord, named } = useReportWords()
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<Error>()
  /** false: this reader had reported it before */
  const [isNew, setNew] = useState<boolean>()
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setMissing(reason === '')
    if (isPending || reason === '') return
    setPending(true)
    setProblem(undefined)
    try {
      const input = { expressionId, reason: reason as ModerationReason, ...(note.trim() !== '' && { note: note.trim() }) }
      const { reportExpression } = await mutated(ReportExpressionDocument, { input })
      if (reportExpression != null) setNew(reportExpression.created)
    } catch (error) {
      setProblem(error as Error)
    } finally {
      setPending(false)
    }
  }
  if (isNew !== undefined)
    return (
      <Dialog title={reportWord('report.title')} isOpen onClose={onClose}>
        <FocusedText>{reportWord(isNew ? 'report.done' : 'report.known')}</FocusedText>
        <div className="row">
          <Button onPress={onClose}>{word('close')}</Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={reportWord('report.title')} isOpen onClose={onClose}>
      <form className="column" onSubmit={(event) => void send(event)} noValidate>
        <p>{reportWord('report.lede')}</p>
        <Choice
          label={reportWord('report.reason')}
          placeholder={reportWord('report.choose')}
          value={reason}
          problem={isMissing ? reportWord('report.choose') : undefined}
          onChange={(id) => {
            setReason(id)
            setMissing(false)
          }}
          options={reasons.map((id) => ({ id, text: named('report-reason', id) }))}
        />
        <Field label={reportWord('report.note')} mark={word('optional')} value={note} onChange={setNote} isLong maxLength={noteLength} />
        <Problem error={problem} />
        <div className="row">
          <Button onPress={onClose}>{word('cancel')}</Button>
          <Button look="main" type="submit" isPending={isPending}>
            {reportWord('report.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
