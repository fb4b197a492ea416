import { DelegationPathDocument, type DelegationPathQuery } from '@civigraph/client/documents'
import { type FormEvent, useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { labelIn } from '../../shared/words/words-in.ts'
import { CitizenLink, Code } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import type { ScenarioVariables } from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'

/** Shows where the vote of one citizen goes in a scenario, step by step. */
export function VotePath({ variables }: { variables: ScenarioVariables }) {
  const { word } = useSimulationWords()
  const { word: common } = useWords()
  const [code, setCode] = useState('')
  const [typed, setTyped] = useState('')
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setCode(typed.trim())
  }
  return (
    <>
      <p>{word('path.lede')}</p>
      <form className="row" onSubmit={find}>
        <Field label={common('citizens.code')} value={typed} onChange={setTyped} isRequired autoComplete="off" />
        <Button type="submit">{word('path.find')}</Button>
      </form>
      {code !== '' && <Path code={code} variables={variables} />}
    </>
  )
}

function Path({ code, variables }: { code: string; variables: ScenarioVariables }) {
  const { word, named } = useSimulationWords()
  const { word: common } = useWords()
  const [{ data, error, fetching }] = useQuery({
    query: DelegationPathDocument,
    variables: { ...variables, code },
    requestPolicy: 'network-only',
  })
  if (fetching) return <p role="status">{common('loading')}</p>
  const isUnknown = error?.graphQLErrors.some(({ extensions }) => JSON.stringify(extensions.entries).includes('"path":["code"]'))
  const path = data?.delegationPath
  return (
    <div role="status">
      {isUnknown ? <p className="notice">{word('path.unknown', { code })}</p> : <Problem error={error} />}
      {path != null && (
        <>
          <p>
            <strong>
              {path.outcome === 'CAST' && path.length === 0
                ? word('path.own')
                : named('path-outcome', path.outcome, { count: path.length, code: path.steps.at(-1)?.citizen.code ?? '' })}
            </strong>
          </p>
          <ol className="path">
            {path.steps.map((step, index) => (
              // a circle names a citizen twice
              <li key={index}>
                <CitizenLink code={step.citizen.code} />
                <Reason step={step} isLast={index === path.steps.length - 1} isCast={path.outcome === 'CAST'} />
              </li>
            ))}
          </ol>
          {path.length + 1 > path.steps.length && <p>{word('path.cut', { count: path.steps.length })}</p>}
        </>
      )}
    </div>
  )
}

type Step = NonNullable<DelegationPathQuery['delegationPath']>['steps'][number]

/** Why the vote leaves a citizen. */
function Reason({ step, isLast, isCast }: { step: Step; isLast: boolean; isCast: boolean }) {
  const { word, date, language, list } = useSimulationWords()
  if (isLast) return isCast ? <Badge kind="good">{word('path.votes')}</Badge> : null
  if (step.isAssumed) return <span className="quiet">{word('path.assumed')}</span>
  const { delegation } = step
  if (delegation === null) return null
  const about = delegation.domain === null ? word('path.all-topics') : (labelIn(language, delegation.domain.labels) ?? delegation.domain.id)
  return (
    <span className="quiet">
      {word('path.delegates', { about: list([about, delegation.scope]), day: date(delegation.startsAt) })}{' '}
      <Code code={delegation.group.id} />
    </span>
  )
}
