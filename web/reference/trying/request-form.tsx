import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { useAccess } from '../access/access.tsx'
import { credentialsFor } from '../access/credentials.ts'
import { CodeText, Disclosure, useDocument } from '../interface/document.tsx'
import type { Operation } from '../interface/operations.ts'
import { CopyButton } from '../operation/copy-button.tsx'
import { useWords } from '../words/words.ts'
import { BodyFields } from './body-fields.tsx'
import { curlOf } from './curl.ts'
import { type FormInput, initialInput, placeOf } from './form-input.ts'
import { ParameterField } from './parameter-field.tsx'
import { type Refusal, refusalsOf } from './refusals.ts'
import { requestOf } from './request.ts'
import type { TrialState } from './use-trial.ts'

const maxListed = 8

/** A form that tries an operation. While it has known problems it sends only at explicit request. */
export function RequestForm({ operation, state }: { operation: Operation; state: TrialState }) {
  const { word } = useWords()
  const document = useDocument()
  const { secrets } = useAccess()
  const { trial, execute, cancel } = state
  const form = useRef<HTMLFormElement>(null)
  const [input, setInput] = useState(() => initialInput(document, operation))
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const credentials = credentialsFor(document, operation.security, secrets)
  const request = requestOf(document, operation, input, { origin: location.origin, credentials })
  const accepted = [
    ...new Set(operation.responses.flatMap(([status, { content = {} }]) => (/^2/.test(status) ? Object.keys(content) : []))),
  ]

  useEffect(() => {
    if (refusals.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus()
  }, [refusals])

  const change = (changed: Partial<FormInput>, place: string): void => {
    setInput((before) => ({ ...before, ...changed }))
    setRefusals((before) => before.filter((each) => each.place !== place))
  }
  const sentenceOf = ({ field, rule, allowed = '' }: Refusal): string =>
    word('refusal', { field, problem: word(`problem.${rule}`, { allowed }) })
  const problemAt = (place: string): string | undefined => {
    const here = refusals.filter((each) => each.place === place)
    return here.length === 0 ? undefined : here.slice(0, maxListed).map(sentenceOf).join(' ')
  }
  // the pressed button disappears
  const focusExecute = (): void => form.current?.querySelector<HTMLElement>('.button.main')?.focus()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const problems = refusalsOf(document, operation, input)
    setRefusals(problems)
    if (problems.length === 0) void execute(request)
  }
  return (
    <form ref={form} noValidate className="trying" onSubmit={submit} aria-label={word('request-of', { operation: operation.id })}>
      <h4>{word('request')}</h4>
      {operation.parameters.length === 0 && operation.body === undefined && <p className="quiet">{word('no-parameters')}</p>}
      {operation.parameters.map((parameter) => {
        const place = placeOf(parameter)
        return (
          <ParameterField
            key={place}
            parameter={parameter}
            value={input.parameters[place] ?? ''}
            onChange={(value) => change({ parameters: { ...input.parameters, [place]: value } }, place)}
            problem={problemAt(place)}
          />
        )
      })}
      {operation.body !== undefined && <BodyFields body={operation.body} input={input} onChange={change} problemAt={problemAt} />}
      {accepted.length > 1 && (
        <Choice
          label={word('answer-as')}
          options={accepted.map((id) => ({ id, text: id }))}
          value={input.accept ?? ''}
          onChange={(accept) => change({ accept }, 'accept')}
        />
      )}
      {refusals.length > 0 && (
        <div role="alert" className="notice bad">
          <p>{word('nothing-sent')}</p>
          <ul>
            {refusals.slice(0, maxListed).map((each) => (
              <li key={`${each.place} ${each.field} ${each.rule}`}>{sentenceOf(each)}</li>
            ))}
          </ul>
          {!refusals.some(({ isFinal }) => isFinal) && (
            <Button
              onPress={() => {
                setRefusals([])
                focusExecute()
                void execute(request)
              }}
            >
              {word('send-anyway')}
            </Button>
          )}
        </div>
      )}
      <div className="row">
        <Button look="main" type="submit" isPending={trial.step === 'waiting'}>
          {word('execute')}
        </Button>
        {trial.step === 'waiting' && (
          <Button
            onPress={() => {
              cancel()
              focusExecute()
            }}
          >
            {word('cancel')}
          </Button>
        )}
      </div>
      <Disclosure summary={word('curl')}>
        {() => (
          <>
            {credentials.length > 0 && (
              <p className="quiet">{word('curl.variables', { names: credentials.map(({ variable }) => variable).join(', ') })}</p>
            )}
            <CodeText label={word('curl')} text={curlOf(request)} />
            <p className="row">
              <CopyButton label={word('curl.copy')} text={() => curlOf(request)} />
            </p>
          </>
        )}
      </Disclosure>
    </form>
  )
}
