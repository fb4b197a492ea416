import { type FormEvent, useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { useWords } from '../words/words.ts'
import { documentTypes, genders, type PhotographName, sides, type TextName } from './draft.ts'
import { PhotographField } from './photograph-field.tsx'
import { ProblemList, useProblemText } from './problem-list.tsx'
import type { SubmissionState } from './use-submission.ts'

const priorities = ['normal', 'high'] as const

/** The form for a verification request; problems are shown at their fields and above the form. */
export function SubmissionForm({ submission }: { submission: SubmissionState }) {
  const { word } = useWords()
  const { texts, photographs, problems, setText, take, send, progress } = submission
  const { problemAt } = useProblemText(problems)
  usePastedPhotographs(submission)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void send()
  }
  const text = (name: TextName, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field
      label={word(`field.${name}`)}
      name={name}
      value={texts[name]}
      onChange={(value) => setText(name, value)}
      validationBehavior="aria"
      spellCheck="false"
      problem={problemAt(name)}
      {...more}
    />
  )
  return (
    <form onSubmit={submit} noValidate aria-labelledby="try" autoComplete="off">
      <ProblemList problems={problems} attempt={submission.attempt} />
      <fieldset>
        <legend>{word('form.access')}</legend>
        <div className="fields">
          <div className="whole">{text('key', { type: 'password', isRequired: true, help: word('help.key'), autoComplete: 'off' })}</div>
        </div>
      </fieldset>
      <fieldset>
        <legend>{word('form.identity')}</legend>
        <div className="fields">
          {text('firstName', { isRequired: true })}
          {text('lastName', { isRequired: true })}
          {text('dateOfBirth', { type: 'date', mark: word('optional'), input: { min: '1900-01-01' } })}
          {text('citizenCode', { isRequired: true })}
          <Choice
            label={word('field.gender')}
            name="gender"
            value={texts.gender}
            onChange={(id) => setText('gender', id)}
            options={[{ id: '', text: word('gender.none') }, ...genders.map((id) => ({ id, text: word(`gender.${id}`) }))]}
          />
          {text('nationality', { mark: word('optional'), help: <CountryName code={texts.nationality} /> })}
        </div>
      </fieldset>
      <fieldset>
        <legend>{word('form.document')}</legend>
        <div className="fields">
          <Choice
            label={word('field.documentType')}
            name="documentType"
            value={texts.documentType}
            onChange={(id) => setText('documentType', id)}
            options={documentTypes.map((id) => ({ id, text: word(`document.${id}`) }))}
          />
          {text('country', { isRequired: true, help: <CountryName code={texts.country} /> })}
        </div>
      </fieldset>
      <fieldset>
        <legend>{word('form.photographs')}</legend>
        <p className="hint">{word('help.photographs')}</p>
        <div className="photographs">
          {sides.map((name) => (
            <PhotographField
              key={name}
              name={name}
              photograph={photographs[name] ?? {}}
              problem={problemAt(name)}
              onTake={(file) => void take(name, file)}
            />
          ))}
        </div>
      </fieldset>
      <details className="more">
        <summary>{word('form.how')}</summary>
        <div className="fields">
          <Choice
            label={word('field.priority')}
            name="priority"
            value={texts.priority}
            onChange={(id) => setText('priority', id)}
            options={priorities.map((id) => ({ id, text: word(`priority.${id}`) }))}
          />
          <div className="whole">{text('callbackUrl', { type: 'url', mark: word('optional'), help: word('help.callbackUrl') })}</div>
        </div>
      </details>
      <Button look="main" type="submit" isPending={progress.step !== 'none'}>
        {word('form.send')}
      </Button>
    </form>
  )
}

/** Returns the country name of a code in the page's language. */
function CountryName({ code }: { code: string }) {
  const { word, language } = useWords()
  const region = code.trim().toUpperCase()
  if (!/^[A-Z]{2}$/.test(region)) return word('help.country')
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(region) ?? word('help.no-country')
}

/** Puts a pasted image into the focused photo field, else into the first empty one. */
function usePastedPhotographs({ photographs, take }: SubmissionState): void {
  const now = useRef({ photographs, take })
  now.current = { photographs, take }
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file === undefined) return
      event.preventDefault()
      const here = document.activeElement?.closest<HTMLElement>('[data-photograph]')?.dataset.photograph
      const empty = sides.find((side) => now.current.photographs[side]?.content === undefined)
      const name: PhotographName = sides.find((side) => side === here) ?? empty ?? 'back'
      void now.current.take(name, file)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])
}
