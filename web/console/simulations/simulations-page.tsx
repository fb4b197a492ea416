import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { type Client, type CombinedError, Provider as GraphProvider } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { graphClient } from '../../shared/graph/graph-client.ts'
import { useSession } from '../../shared/session/session.tsx'
import { useRuleWords } from '../../shared/words/rules.ts'
import { CitizenLink, Code } from '../codes/citizen-link.tsx'
import { useDomainOptions } from '../delegations/domain-options.ts'
import { useWords } from '../words/words.ts'
import { ChainTree } from './chain-tree.tsx'
import { ConcentrationCurve } from './concentration-curve.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { SaveScenario } from './save-scenario.tsx'
import { SavedScenarios } from './saved-scenarios.tsx'
import { ScenarioForm } from './scenario-form.tsx'
import {
  countChanges,
  fieldAt,
  linesOf,
  placeInFile,
  readScenario,
  type ScenarioField,
  type ScenarioTexts,
  unchangedTexts,
} from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'
import { type EndedRun, type Progress, type Simulation, useRun } from './use-run.ts'
import { VotePath } from './vote-path.tsx'

/** Simulates a vote: the question and its assumptions, and the outcome beside today's. */
export function SimulationsPage() {
  const { word } = useSimulationWords()
  const { word: common } = useWords()
  const { send } = useSession()
  // without a cache, which would keep the text of each file
  const client = useMemo(() => graphClient(send), [send])
  const [texts, setTexts] = useState(unchangedTexts)
  const [submitted, setSubmitted] = useState(unchangedTexts)
  const { run, cancel, progress, ended, error } = useRun(client)
  const problems = useProblems(submitted, texts, error)
  const [changes, setChanges] = useState(0)
  const result = useRef<HTMLHeadingElement>(null)
  useTitle(common('simulations.title'))
  useEffect(() => {
    if (ended !== undefined) result.current?.focus()
  }, [ended])

  const submit = (scenario: ScenarioTexts): void => {
    setSubmitted(scenario)
    const read = readScenario(scenario)
    if ('variables' in read) run(scenario, read.variables)
  }
  const open = (scenario: ScenarioTexts): void => {
    setTexts(scenario)
    submit(scenario)
  }
  return (
    <>
      <h1>{common('simulations.title')}</h1>
      <p className="lede unprinted">{word('simulation.lede')}</p>
      <ScenarioForm texts={texts} onChange={setTexts} problems={problems.byField} onSubmit={() => submit(texts)}>
        {problems.hasOther && <Problem error={error} />}
        <div className="row">
          <Button look="main" type="submit" isPending={progress !== undefined}>
            {word('simulation.run')}
          </Button>
          {progress === undefined ? (
            <Button onPress={() => setTexts(unchangedTexts)}>{word('simulation.clear')}</Button>
          ) : (
            <Button onPress={cancel}>{common('cancel')}</Button>
          )}
        </div>
        <SaveScenario texts={texts} onSaved={() => setChanges((before) => before + 1)} />
        {progress !== undefined && <RunProgress {...progress} />}
      </ScenarioForm>
      <SavedScenarios key={changes} onOpen={open} />
      {ended !== undefined && (
        <section aria-labelledby="outcome" className="simulation">
          <h2 id="outcome" ref={result} tabIndex={-1}>
            {word('simulation.outcome')}
          </h2>
          <Outcome {...ended} client={client} />
        </section>
      )}
    </>
  )
}

/** Progress of a run, announced in steps of a quarter. */
function RunProgress({ read, total }: Progress) {
  const { word, percent } = useSimulationWords()
  if (read === undefined || total === undefined || (total > 0 && read >= total))
    return (
      <p className="run">
        <progress aria-label={word('run.title')} /> <span role="status">{word('run.counting')}</span>
      </p>
    )
  const quarter = total === 0 ? 0 : Math.floor((4 * read) / total)
  return (
    <p className="run">
      <progress aria-label={word('run.title')} {...(total > 0 && { value: read, max: total })} /> {word('run.reading', { read, total })}
      <span role="status" className="unseen">
        {word('run.quarter', { percent: percent(quarter / 4) })}
      </span>
    </p>
  )
}

/** The outcome of a run; it is not drawn again while the user types, which would take long with the variables of a large file. */
const Outcome = memo(function Outcome({ id, simulation, texts, variables, client }: EndedRun & { readonly client: Client }) {
  const { word, date } = useSimulationWords()
  const outcomes = [
    { id: 'today', name: word('outcome.today'), figures: simulation.today },
    { id: 'scenario', name: word('outcome.scenario'), figures: simulation.figures },
  ]
  return (
    <>
      <p className="quiet">{word('simulation.basis', { count: simulation.delegations, moment: date(simulation.snapshotAt) })}</p>
      <Assumptions texts={texts} />
      <Answer simulation={simulation} />
      <p className="unprinted">
        <Button onPress={() => print()}>{word('simulation.print')}</Button>
      </p>
      <h3>{word('simulation.compared')}</h3>
      <OutcomeTable caption={word('simulation.compared')} outcomes={outcomes} hasDifference />
      <h3>{word('curve.title')}</h3>
      <ConcentrationCurve outcomes={outcomes} />
      <Circles simulation={simulation} />
      <h3>{word('tree.title')}</h3>
      <p>{word('tree.lede')}</p>
      {/* another run starts another tree */}
      <GraphProvider key={id} value={client}>
        <ChainTree variables={variables} />
        <div className="unprinted">
          <h3>{word('path.title')}</h3>
          <VotePath variables={variables} />
        </div>
      </GraphProvider>
    </>
  )
})

/** What the simulation assumes, in words; the form is not printed. */
function Assumptions({ texts }: { texts: ScenarioTexts }) {
  const { word } = useSimulationWords()
  const { word: common } = useWords()
  const domains = useDomainOptions()
  const lists = (['endTo', 'endFrom', 'direct', 'add', 'ids'] as const).filter((field) => linesOf(texts[field]).length > 0)
  const numbers = (['maxWeight', 'maxChain', 'electorate'] as const).filter((field) => texts[field].trim() !== '')
  return (
    <dl className="facts">
      <dt>{word('simulation.topic')}</dt>
      <dd>
        {texts.domain === '' ? word('simulation.every-topic') : (domains.find(({ id }) => id === texts.domain)?.text ?? texts.domain)}
      </dd>
      <dt>{word('simulation.action')}</dt>
      <dd>{texts.scope}</dd>
      {texts.group !== '' && (
        <>
          <dt>{common('delegations.group')}</dt>
          <dd>
            <bdi>{texts.group}</bdi>
          </dd>
        </>
      )}
      {texts.day !== '' && (
        <>
          <dt>{word('simulation.day')}</dt>
          <dd>
            <bdi>{texts.day}</bdi>
          </dd>
        </>
      )}
      {lists.map((field) => (
        <ListedCodes key={field} term={word(listWords[field])} lines={linesOf(texts[field]).map(({ text }) => text)} />
      ))}
      {texts.fileName !== '' && (
        <>
          <dt>{word('simulation.file')}</dt>
          <dd>
            <bdi>{texts.fileName}</bdi> ({word('simulation.file-changes', { count: countChanges(texts.file) })})
          </dd>
        </>
      )}
      {numbers.map((field) => (
        <ListedCodes key={field} term={word(numberWords[field])} lines={[texts[field]]} />
      ))}
      {lists.length + numbers.length === 0 && texts.fileName === '' && (
        <>
          <dt>{word('simulation.changes')}</dt>
          <dd>{word('simulation.no-changes')}</dd>
        </>
      )}
    </dl>
  )
}

const listWords = {
  endTo: 'simulation.end-to',
  endFrom: 'simulation.end-from',
  direct: 'simulation.direct',
  add: 'simulation.add',
  ids: 'simulation.ids',
} as const
const numberWords = { maxWeight: 'simulation.max-weight', maxChain: 'simulation.max-chain', electorate: 'simulation.electorate' } as const
const namedLines = 20

function ListedCodes({ term, lines }: { term: string; lines: readonly string[] }) {
  const { word } = useSimulationWords()
  return (
    <>
      <dt>{term}</dt>
      <dd>
        {lines.slice(0, namedLines).map((line, index) => (
          <span key={line}>
            {index > 0 && ' · '}
            <Code code={line} />
          </span>
        ))}
        {lines.length > namedLines && ` ${word('simulation.others', { count: lines.length - namedLines })}`}
      </dd>
    </>
  )
}

/** The outcome in two sentences, before the figures. */
function Answer({ simulation: { figures, today } }: { simulation: Simulation }) {
  const { word, percent } = useSimulationWords()
  const lost = figures.electorate - figures.cast
  return (
    <p className="notice">
      {word('answer.voters', { voters: figures.voters, today: today.voters, cast: figures.cast })}{' '}
      {word('answer.largest', {
        share: percent(figures.concentration.largestShare, 1),
        today: percent(today.concentration.largestShare, 1),
      })}{' '}
      {lost > 0 && word('answer.lost', { count: lost })}
    </p>
  )
}

/** The circles that lose the most votes. */
function Circles({ simulation: { circles, figures } }: { simulation: Simulation }) {
  const { word } = useSimulationWords()
  if (circles == null || circles.length === 0) return null
  const named = circles.reduce((sum, { lost }) => sum + lost, 0)
  return (
    <>
      <h3>{word('circles.title')}</h3>
      <p>{word('circles.lede')}</p>
      <ul className="lines">
        {circles.map(({ citizens, length, lost }) => (
          <li key={citizens[0]?.code}>
            {word('circles.one', { count: length })} {word('circles.lost', { count: lost })}{' '}
            {citizens.slice(0, namedLines).map(({ code }) => (
              <span key={code}>
                <CitizenLink code={code} /> <span aria-hidden="true">{word('circles.arrow')}</span>{' '}
              </span>
            ))}
            {length > namedLines ? word('simulation.others', { count: length - namedLines }) : <Code code={citizens[0]?.code ?? ''} />}
          </li>
        ))}
      </ul>
      {figures.lost.cycle > named && <p>{word('circles.more', { count: figures.lost.cycle - named })}</p>}
    </>
  )
}

/** An entry of a refusal. */
interface Entry {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly constraint?: { readonly max?: number; readonly actual?: number }
}

/** Returns the problems of the submitted scenario by field, until the field changes; that of a list names the line. */
function useProblems(
  submitted: ScenarioTexts,
  texts: ScenarioTexts,
  error: CombinedError | undefined,
): { readonly byField: Readonly<Partial<Record<ScenarioField, string>>>; readonly hasOther: boolean } {
  const { word, named, language } = useSimulationWords()
  const ruleOf = useRuleWords(language !== 'en')
  const all = useMemo(() => {
    const read = readScenario(submitted)
    const invalid = ('problems' in read ? read.problems : []).map(({ field, code, line }): readonly [ScenarioField, string] => [
      field,
      line === undefined ? named('problem', code) : word('problem.line', { line, sentence: named('problem', code) }),
    ])
    const entries = (error?.graphQLErrors ?? []).flatMap(({ extensions }) => (extensions.entries ?? []) as readonly Entry[])
    const ruleOrMessage = (code: string, message: string): string => (language === 'en' ? undefined : ruleOf(code)) ?? message
    const fileLines = entries.some(({ path: [member] }) => member === 'changes') ? submitted.file.split('\n') : []
    const inFile = ({ code, message, constraint: { max = 0, actual = 0 } = {} }: Entry): string => {
      const place = placeInFile(message, fileLines)
      if (place === undefined) return code === 'too_many' ? word('problem.more', { count: actual - max }) : ruleOrMessage(code, message)
      const { line, column, text, sentence } = place
      if (code === 'unknown' && column > 1) return word('problem.unknown', { line, text })
      if (line === 1) return word('problem.header')
      return word('problem.file', { line, column, sentence: code === 'unknown' ? word('problem.change') : ruleOrMessage(code, sentence) })
    }
    const refused = entries.flatMap((entry): readonly (readonly [ScenarioField, string])[] => {
      const place = fieldAt(entry.path, submitted)
      if (place === undefined) return []
      if (place.field === 'file') return [[place.field, inFile(entry)]]
      const sentence = ruleOrMessage(entry.code, entry.message)
      if (place.typed === undefined) return [[place.field, sentence]]
      const { line, text } = place.typed
      return [[place.field, entry.code === 'unknown' ? word('problem.unknown', { line, text }) : word('problem.line', { line, sentence })]]
    })
    return [...(invalid.length > 0 ? invalid : refused)]
  }, [submitted, error, word, named, language, ruleOf])
  const current = all.filter(([field]) => texts[field] === submitted[field])
  const byField: Partial<Record<ScenarioField, string>> = Object.fromEntries(current.toReversed())
  // a file shows all of its problems, a line for each
  if (byField.file !== undefined)
    byField.file = [...new Set(current.flatMap(([field, sentence]) => (field === 'file' ? sentence : [])))].join('\n')
  return { byField, hasOther: error !== undefined && all.length === 0 }
}
