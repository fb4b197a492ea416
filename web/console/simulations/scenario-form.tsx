import { type ReactNode, useEffect, useRef } from 'react'
import { Form } from 'react-aria-components'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { useDomainOptions } from '../delegations/domain-options.ts'
import { useWords } from '../words/words.ts'
import { ChangesField } from './changes-field.tsx'
import type { ScenarioField, ScenarioTexts } from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'

export interface ScenarioFormProps {
  readonly texts: ScenarioTexts
  readonly onChange: (texts: ScenarioTexts) => void
  /** the first field with a problem takes the focus */
  readonly problems: Readonly<Partial<Record<ScenarioField, string>>>
  readonly onSubmit: () => void
  /** the buttons */
  readonly children: ReactNode
}

/** The question of a simulation and what it assumes. */
export function ScenarioForm({ texts, onChange, problems, onSubmit, children }: ScenarioFormProps) {
  const { word } = useSimulationWords()
  const { word: common } = useWords()
  const { signedIn } = useSession()
  const domains = useDomainOptions()
  const { roles = [], groups = [] } = signedIn?.administrator ?? {}
  const place = useRef<HTMLFormElement>(null)
  const refused = Object.keys(problems).join(' ')
  useEffect(() => {
    if (refused !== '') place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refused])
  const set = (field: ScenarioField) => (value: string) => onChange({ ...texts, [field]: value })
  const choice = (name: ScenarioField) => ({ value: texts[name], onChange: set(name), problem: problems[name] })
  const field = (name: ScenarioField) => ({ ...choice(name), autoComplete: 'off' })
  return (
    <Form
      className="scenario"
      ref={place}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <fieldset>
        <legend>{word('simulation.vote')}</legend>
        <div className="fields">
          <Choice
            label={word('simulation.topic')}
            help={word('simulation.topic-help')}
            anyText={word('simulation.every-topic')}
            options={domains}
            {...choice('domain')}
          />
          <Field label={word('simulation.action')} help={word('simulation.action-help')} {...field('scope')} />
          {roles.includes('SUPER_ADMIN') ? (
            <Field label={common('delegations.group')} help={word('simulation.group-help')} {...field('group')} />
          ) : (
            groups.length > 1 && (
              <Choice
                label={common('delegations.group')}
                anyText={common('any')}
                options={groups.map(({ id }) => ({ id, text: id }))}
                {...choice('group')}
              />
            )
          )}
          <Field label={word('simulation.day')} type="date" help={word('simulation.day-help')} {...field('day')} />
        </div>
      </fieldset>
      <fieldset>
        <legend>{word('simulation.changes')}</legend>
        <div className="fields">
          <Field isLong label={word('simulation.end-to')} help={word('simulation.end-to-help')} {...field('endTo')} />
          <Field isLong label={word('simulation.end-from')} help={word('simulation.end-from-help')} {...field('endFrom')} />
          <Field isLong label={word('simulation.direct')} help={word('simulation.direct-help')} {...field('direct')} />
          {texts.ids !== '' && <Field isLong label={word('simulation.ids')} help={word('simulation.ids-help')} {...field('ids')} />}
          <Field isLong label={word('simulation.add')} help={word('simulation.add-help')} {...field('add')} />
          <ChangesField
            file={texts.file}
            fileName={texts.fileName}
            problem={problems.file}
            onChange={(chosen) => onChange({ ...texts, ...chosen })}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>{word('simulation.limits')}</legend>
        <div className="fields">
          <Field
            label={word('simulation.max-weight')}
            help={word('simulation.max-weight-help')}
            inputMode="numeric"
            {...field('maxWeight')}
          />
          <Field label={word('simulation.max-chain')} help={word('simulation.max-chain-help')} inputMode="numeric" {...field('maxChain')} />
          <Field
            label={word('simulation.electorate')}
            help={word('simulation.electorate-help')}
            inputMode="numeric"
            {...field('electorate')}
          />
        </div>
      </fieldset>
      {children}
    </Form>
  )
}
