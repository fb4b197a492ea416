import { SaveDelegationScenarioDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { readScenario, type ScenarioTexts } from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'

interface SaveScenarioProps {
  readonly texts: ScenarioTexts
  readonly onSaved: () => void
}

/** Saves the scenario of the form by name. */
export function SaveScenario({ texts, onSaved }: SaveScenarioProps) {
  const { word } = useSimulationWords()
  const [{ data, error, fetching }, save] = useMutation(SaveDelegationScenarioDocument)
  const [name, setName] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const submit = async (): Promise<void> => {
    const read = readScenario(texts)
    setInvalid('problems' in read)
    if ('problems' in read) return
    const { data: saved } = await save({ input: { name, scenario: read.variables } })
    if (saved?.saveDelegationScenario != null) onSaved()
  }
  return (
    <details>
      <summary>{word('scenarios.save')}</summary>
      <div className="row">
        <Field
          label={word('scenarios.name')}
          help={word('scenarios.name-help')}
          value={name}
          onChange={setName}
          maxLength={100}
          autoComplete="off"
        />
        <Button isDisabled={name.trim() === ''} isPending={fetching} onPress={() => void submit()}>
          {word('scenarios.do-save')}
        </Button>
      </div>
      <Problem error={error} />
      <p role="status">
        {isInvalid && word('scenarios.invalid')}
        {!isInvalid && !fetching && error === undefined && data?.saveDelegationScenario != null && word('scenarios.saved')}
      </p>
    </details>
  )
}
