import { type FormEvent, type ReactNode, useDeferredValue, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { Problem } from '../../../components/problem.tsx'
import { errorOf } from '../../frame/fault-boundary.tsx'
import { Heading } from '../place/heading.tsx'
import { ShownText } from '../text/shown-text.tsx'
import { useContentWords } from '../words/words.ts'
import './writing.css'
import { type FieldName, fieldNames, problemIn } from './text-fields.ts'
import type { Draft } from './use-draft.ts'

export interface TextFormProps {
  readonly heading: string
  readonly draft: Draft
  /** saves the text; an error is shown and the input stays */
  readonly save: () => Promise<void>
  readonly onLeave: () => void
  /** notices above the form */
  readonly notice?: ReactNode
  /** content beside the form, instead of the preview */
  readonly beside?: ReactNode
}

const lengths: Readonly<Record<FieldName, number>> = { title: 500, summary: 5000, body: 1_000_000, locale: 50 }

/** A form for a text, with a preview. */
export function TextForm({ heading, draft, save, onLeave, notice, beside }: TextFormProps) {
  const { word } = useContentWords()
  const [isPending, setPending] = useState(false)
  const [isTried, setTried] = useState(false)
  const [error, setError] = useState<Error>()
  const { mine } = draft
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    setTried(true)
    const wrong = fieldNames.find((name) => problemIn(name, mine) !== undefined)
    if (wrong !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus()
      return
    }
    setPending(true)
    setError(undefined)
    try {
      await save()
    } catch (refusal) {
      setError(errorOf(refusal))
    } finally {
      setPending(false)
    }
  }
  const field = (name: FieldName) => {
    const problem = isTried ? problemIn(name, mine) : undefined
    return {
      name,
      label: word(`field.${name}`),
      value: mine[name],
      onChange: (text: string) => draft.write(name, text),
      maxLength: lengths[name],
      problem: problem && word(problem),
    }
  }
  return (
    <div className="sides writing">
      <form className="fields-column" onSubmit={submit} noValidate>
        <Heading className="task">{heading}</Heading>
        {draft.isRestored && (
          <div className="notice" role="status">
            <p>{word('edit.unsaved')}</p>
            <Button onPress={draft.end}>{word('edit.discard')}</Button>
          </div>
        )}
        {notice}
        <Field {...field('title')} />
        <Field {...field('summary')} isLong />
        <Field {...field('body')} isLong rows={16} help={word('field.body-help')} />
        <Field {...field('locale')} help={word('field.locale-help')} />
        <Problem error={error} />
        <div className="row">
          <Button look="main" type="submit" isPending={isPending}>
            {word('edit.save')}
          </Button>
          <Button onPress={onLeave}>{word('close')}</Button>
        </div>
      </form>
      {beside ?? <Preview draft={draft} />}
    </div>
  )
}

/** The preview, updated while typing. */
function Preview({ draft: { mine } }: { draft: Draft }) {
  const { word } = useContentWords()
  const text = useDeferredValue(mine)
  return (
    <section className="panel" aria-label={word('edit.preview')}>
      <p className="quiet">{word('edit.preview')}</p>
      <ShownText text={{ ...text, locale: text.locale || null }} below={1} />
    </section>
  )
}
