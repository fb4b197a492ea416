import { DecideReviewDocument, type ReviewDecision, type ReviewReason } from '@civigraph/client/documents'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'
import type { ConfirmedDecision } from './own-decisions.tsx'
import { type Draft, draftsOf } from './review-filter.ts'

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
const choices = [
  { id: 'accept', key: 'KeyA', shortcut: 'Alt+A' },
  { id: 'better', key: 'KeyB', shortcut: 'Alt+B' },
  { id: 'reject', key: 'KeyR', shortcut: 'Alt+R' },
] as const
const decisions = { accept: 'VERIFIED', better: 'BETTER_PHOTOGRAPHS', reject: 'REJECTED' } as const satisfies Record<string, ReviewDecision>

type Problems = Partial<Readonly<Record<keyof Draft, string>>>

export interface DecisionFormProps {
  readonly jobId: string
  readonly code: string
  readonly onNext: () => void
  readonly onDecided: (decided: ConfirmedDecision) => void
}

/** The reviewer's decision: nothing is preselected, and a rejection needs a reason and a note. Input remains when the case is left. */
export function DecisionForm({ jobId, code, onNext, onDecided }: DecisionFormProps) {
  const { word, named } = useWords()
  const { signedIn } = useSession()
  const drafts = draftsOf(signedIn?.administrator.id ?? '')
  const [{ error, fetching }, decide] = useMutation(DecideReviewDocument)
  const [draft, setDraft] = useState(() => drafts.read(jobId))
  const [problems, setProblems] = useState<Problems>({})
  const form = useRef<HTMLFormElement>(null)
  const { choice, reason, note } = draft
  const change = (changed: Partial<Draft>): void => {
    const next = { ...draft, ...changed }
    setDraft(next)
    drafts.write(jobId, next)
    setProblems({})
  }
  const shortcut = useRef<(event: globalThis.KeyboardEvent) => void>(() => undefined)
  shortcut.current = (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return
    const chosen = choices.find(({ key }) => key === event.code)
    if (chosen === undefined && event.code !== 'KeyN') return
    event.preventDefault()
    if (chosen === undefined) return onNext()
    change({ choice: chosen.id })
    form.current?.querySelector<HTMLInputElement>(`input[value=${chosen.id}]`)?.focus({ preventScroll: true })
  }
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => shortcut.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (bar.current === null) return
    const { style } = document.documentElement
    // keeps a focused element above the decision (WCAG 2.2, 2.4.11)
    const observer = new ResizeObserver(([entry]) => {
      style.scrollPaddingBlockEnd = `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`
    })
    observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.scrollPaddingBlockEnd = ''
    }
  }, [])

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const isRejection = choice === 'reject'
    const missing: Problems = {
      ...(choice === undefined && { choice: word('review.choose') }),
      ...(isRejection && reason === '' && { reason: word('review.choose-reason') }),
      ...(isRejection && note.trim() === '' && { note: word('review.write-note') }),
    }
    setProblems(missing)
    if (choice === undefined || Object.keys(missing).length > 0) {
      const first = missing.choice !== undefined ? 'input[name=decision]' : missing.reason !== undefined ? '.select' : 'textarea'
      form.current?.querySelector<HTMLElement>(first)?.focus({ preventScroll: true })
      return
    }
    const decided = reasonOf(choice, reason)
    const decision = decisions[choice]
    const { data } = await decide({ input: { jobId, decision, reason: decided, ...(note.trim() !== '' && { note: note.trim() }) } })
    if (data?.decideReview == null) return
    drafts.write(jobId, undefined)
    const { settled: isSettled, heldUntil } = data.decideReview
    onDecided({ jobId, code, decision, reason: decided, isSettled, heldUntil })
  }
  return (
    <section aria-labelledby="decision" className="decision" ref={bar}>
      <h2 id="decision" className="unseen">
        {word('review.decision')}
      </h2>
      <form ref={form} onSubmit={submit} noValidate>
        <fieldset aria-describedby={problems.choice === undefined ? undefined : 'decision-problem'}>
          <legend className="unseen">{word('review.what')}</legend>
          {problems.choice !== undefined && (
            <p className="bad" id="decision-problem" role="alert">
              {problems.choice}
            </p>
          )}
          <div className="row">
            {choices.map(({ id, shortcut: keys }) => (
              <label key={id} className="check">
                <input
                  type="radio"
                  name="decision"
                  value={id}
                  checked={choice === id}
                  aria-keyshortcuts={keys}
                  onChange={() => change({ choice: id })}
                />
                {word(`review.${id}`)} <kbd>{keys}</kbd>
              </label>
            ))}
          </div>
        </fieldset>
        {choice === 'better' && <p className="quiet">{word('review.better-help')}</p>}
        <div className="fields">
          {choice === 'reject' && (
            <Choice
              label={word('review.reason')}
              placeholder={word('review.choose-reason')}
              value={reason}
              problem={problems.reason}
              onChange={(id) => change({ reason: id })}
              options={rejections.map((id) => ({ id, text: named('decision', id) }))}
            />
          )}
          {choice !== undefined && (
            <Field
              label={word('review.note')}
              mark={choice === 'reject' ? undefined : word('optional')}
              value={note}
              problem={problems.note}
              onChange={(typed) => change({ note: typed })}
              help={word('review.note-help')}
              isLong
              rows={2}
              maxLength={noteLength}
            />
          )}
        </div>
        <Problem error={error} />
        <Button type="submit" look={choice === 'reject' ? 'danger' : 'main'} isPending={fetching}>
          {word(choice === undefined ? 'review.save' : `review.do-${choice}`)}
        </Button>
      </form>
    </section>
  )
}

function reasonOf(choice: keyof typeof decisions, reason: string): ReviewReason {
  if (choice === 'accept') return 'CONFIRMED'
  return choice === 'better' ? 'BETTER_PHOTOGRAPHS' : (rejections.find((each) => each === reason) ?? 'OTHER')
}
