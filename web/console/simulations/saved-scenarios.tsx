import {
  CompareDelegationScenariosDocument,
  type DelegationScenarioFieldsFragment,
  DelegationScenariosDocument,
  type DelegationScenariosQuery,
  DeleteDelegationScenarioDocument,
  RenameDelegationScenarioDocument,
} from '@civigraph/client/documents'
import { useEffect, useRef, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { ListState } from '../../components/list-state.tsx'
import { Problem } from '../../components/problem.tsx'
import { usePages } from '../../shared/graph/pages.ts'
import { useSession } from '../../shared/session/session.tsx'
import { useWords } from '../words/words.ts'
import { ConcentrationCurve } from './concentration-curve.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { type ScenarioTexts, textsOf } from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'

type Scenario = DelegationScenarioFieldsFragment
const connectionOf = ({ delegationScenarios }: DelegationScenariosQuery) => delegationScenarios
const maxCompared = 4

/** The saved scenarios: opened, renamed, deleted, and up to four compared side by side. */
export function SavedScenarios({ onOpen }: { onOpen: (texts: ScenarioTexts) => void }) {
  const { word, date } = useSimulationWords()
  const { word: common } = useWords()
  const { signedIn } = useSession()
  const isSuperAdmin = signedIn?.administrator.roles.includes('SUPER_ADMIN') === true
  const pages = usePages(DelegationScenariosDocument, { first: 100 }, connectionOf)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [compared, setCompared] = useState<readonly string[]>()
  const [renamed, setRenamed] = useState<Scenario>()
  const [deleted, setDeleted] = useState<Scenario>()
  const toggle = (id: string, isChosen: boolean): void => setChosen(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <section aria-labelledby="scenarios" className={compared === undefined ? 'scenarios unprinted' : 'scenarios'}>
      <h2 id="scenarios">{word('scenarios.title')}</h2>
      <ListState
        isLoading={pages.isLoading}
        isEmpty={pages.rows.length === 0}
        problem={pages.problem}
        empty={word('scenarios.empty')}
        onRetry={pages.retry}
      />
      {pages.rows.length > 0 && (
        <>
          <p className="unprinted">{word('scenarios.lede')}</p>
          <ul className="lines unprinted">
            {pages.rows.map((scenario) => (
              <li key={scenario.id} className="row">
                <label className="check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(scenario.id)}
                    disabled={!chosen.includes(scenario.id) && chosen.length >= maxCompared}
                    onChange={({ currentTarget }) => toggle(scenario.id, currentTarget.checked)}
                  />
                  <strong>
                    <bdi>{scenario.name}</bdi>
                  </strong>
                </label>
                <span className="quiet">
                  {scenario.group !== null && (
                    <>
                      <bdi>{scenario.group.id}</bdi> ·{' '}
                    </>
                  )}
                  <bdi>{date(scenario.updatedAt)}</bdi>
                </span>
                <Button aria-label={word('scenarios.open', { name: scenario.name })} onPress={() => onOpen(textsOf(scenario))}>
                  {word('scenarios.do-open')}
                </Button>
                {(scenario.isOwn || isSuperAdmin) && (
                  <>
                    <Button aria-label={word('scenarios.rename', { name: scenario.name })} onPress={() => setRenamed(scenario)}>
                      {word('scenarios.do-rename')}
                    </Button>
                    <Button
                      look="danger"
                      aria-label={word('scenarios.delete', { name: scenario.name })}
                      onPress={() => setDeleted(scenario)}
                    >
                      {word('scenarios.do-delete')}
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
          {pages.hasMore && (
            <Button isPending={pages.isLoading} onPress={pages.more}>
              {word('tree.more')}
            </Button>
          )}
          <p className="unprinted">
            <Button isDisabled={chosen.length < 2} onPress={() => setCompared(chosen)}>
              {word('scenarios.compare', { count: chosen.length })}
            </Button>
          </p>
        </>
      )}
      {compared !== undefined && <Comparison key={compared.join()} ids={compared} />}
      {renamed !== undefined && <RenameScenario scenario={renamed} onClose={() => setRenamed(undefined)} onRenamed={pages.reload} />}
      {deleted !== undefined && (
        <DeleteScenario
          scenario={deleted}
          onClose={() => setDeleted(undefined)}
          onDeleted={() => {
            setChosen(chosen.filter((id) => id !== deleted.id))
            pages.reload()
          }}
        />
      )}
      <span className="unseen">{pages.isLoading && pages.rows.length > 0 ? common('loading') : ''}</span>
    </section>
  )
}

/** The outcomes of scenarios, side by side. */
function Comparison({ ids }: { ids: readonly string[] }) {
  const { word, date } = useSimulationWords()
  const { word: common } = useWords()
  const [{ data, error, fetching }] = useQuery({
    query: CompareDelegationScenariosDocument,
    variables: { ids: [...ids] },
    requestPolicy: 'network-only',
  })
  const title = useRef<HTMLHeadingElement>(null)
  const isDone = !fetching
  useEffect(() => {
    if (isDone) title.current?.focus()
  }, [isDone])
  if (fetching) return <p role="status">{common('loading')}</p>
  const scenarios = (data?.compareDelegationScenarios ?? []).flatMap(({ id, name, simulation }) =>
    simulation == null ? [] : [{ id, name, simulation }],
  )
  const [first] = scenarios
  const isSameToday = scenarios.every(({ simulation: { today } }) => JSON.stringify(today) === JSON.stringify(first?.simulation.today))
  const outcomes = [
    ...(first !== undefined && isSameToday ? [{ id: 'today', name: word('outcome.today'), figures: first.simulation.today }] : []),
    ...scenarios.map(({ id, name, simulation }) => ({ id, name, figures: simulation.figures })),
  ]
  return (
    <div className="simulation">
      <h3 ref={title} tabIndex={-1}>
        {word('scenarios.compared')}
      </h3>
      <Problem error={error} />
      {first !== undefined && (
        <>
          <p className="quiet">
            {word('simulation.basis', { count: first.simulation.delegations, moment: date(first.simulation.snapshotAt) })}
          </p>
          <OutcomeTable caption={word('scenarios.compared')} outcomes={outcomes} />
          <ConcentrationCurve outcomes={outcomes} />
          <p className="unprinted">
            <Button onPress={() => print()}>{word('simulation.print')}</Button>
          </p>
        </>
      )}
    </div>
  )
}

interface RenameProps {
  readonly scenario: Scenario
  readonly onClose: () => void
  readonly onRenamed: () => void
}

function RenameScenario({ scenario, onClose, onRenamed }: RenameProps) {
  const { word } = useSimulationWords()
  const { word: common } = useWords()
  const [{ error, fetching }, rename] = useMutation(RenameDelegationScenarioDocument)
  const [name, setName] = useState(scenario.name)
  return (
    <Dialog title={word('scenarios.rename', { name: scenario.name })} isOpen onClose={onClose}>
      <form
        className="column"
        onSubmit={async (event) => {
          event.preventDefault()
          const { data } = await rename({ input: { id: scenario.id, name } })
          if (data?.renameDelegationScenario == null) return
          onRenamed()
          onClose()
        }}
      >
        <Field label={word('scenarios.name')} value={name} onChange={setName} isRequired maxLength={100} autoComplete="off" autoFocus />
        <Problem error={error} />
        <div className="row">
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button look="main" type="submit" isPending={fetching}>
            {word('scenarios.do-rename')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface DeleteProps {
  readonly scenario: Scenario
  readonly onClose: () => void
  readonly onDeleted: () => void
}

function DeleteScenario({ scenario, onClose, onDeleted }: DeleteProps) {
  const { word } = useSimulationWords()
  const { word: common } = useWords()
  const [{ error, fetching }, remove] = useMutation(DeleteDelegationScenarioDocument)
  return (
    <Dialog title={word('scenarios.delete', { name: scenario.name })} isOpen onClose={onClose}>
      <p>{word('scenarios.delete-sure')}</p>
      <Problem error={error} />
      <div className="row">
        <Button autoFocus onPress={onClose}>
          {common('cancel')}
        </Button>
        <Button
          look="danger"
          isPending={fetching}
          onPress={async () => {
            const { data } = await remove({ input: { id: scenario.id } })
            if (data?.deleteDelegationScenario == null) return
            onDeleted()
            onClose()
          }}
        >
          {word('scenarios.do-delete')}
        </Button>
      </div>
    </Dialog>
  )
}
