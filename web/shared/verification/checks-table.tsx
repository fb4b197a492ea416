import type { CrossValidationFieldsFragment } from '@civigraph/client/documents'
import { useCallback, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Scrolling } from '../../components/keyboard.tsx'
import { Badge } from '../../components/status.tsx'
import { dictionary } from '../words/language.tsx'
import { type Finding, sentenceOf } from './findings.ts'
import ar from './words/ar.json' with { type: 'json' }
import en from './words/en.json' with { type: 'json' }
import fr from './words/fr.json' with { type: 'json' }

/** Names of the checks, measures and scores of a verification. */
export const useCheckWords = dictionary({ fr, en, ar })

/** Returns a function that says a finding in one sentence. */
export function useFindingWords(): (finding: Finding) => string {
  const { named } = useCheckWords()
  return useCallback((finding) => sentenceOf(finding, named), [named])
}

type Check = NonNullable<CrossValidationFieldsFragment['dataConsistency']>
type Result = Check['result']
type PropertyList = NonNullable<Check['properties']>
const groups = ['faceComparison', 'imageIntegrity', 'dataValidation', 'dataComparison'] as const
const singleChecks = ['dataConsistency', 'barcodes', 'liveness', 'duplicates'] as const

/** Lists every check with its result: those that did not pass, then the others, folded. Measurements are hidden until requested. */
export function ChecksTable({ validations }: { validations: CrossValidationFieldsFragment }) {
  const { word } = useCheckWords()
  const [areFiguresShown, setFiguresShown] = useState(false)
  const checks = checksOf(validations).sort((one, other) => weight(one.check.result) - weight(other.check.result))
  const passed = checks.filter(({ check }) => check.result === 'CLEAR')
  const open = checks.filter(({ check }) => check.result !== 'CLEAR')
  return (
    <>
      <Button look="plain" aria-expanded={areFiguresShown} onPress={() => setFiguresShown(!areFiguresShown)}>
        {word(areFiguresShown ? 'checks.hide-figures' : 'checks.show-figures')}
      </Button>
      {open.length > 0 && <Table caption={word('checks.title')} checks={open} areFiguresShown={areFiguresShown} />}
      {passed.length > 0 && (
        <details className="passed">
          <summary>{word('checks.passed', { count: passed.length })}</summary>
          <Table caption={word('checks.passed', { count: passed.length })} checks={passed} areFiguresShown={areFiguresShown} />
        </details>
      )}
    </>
  )
}

function Table({ caption, checks, areFiguresShown }: { caption: string; checks: readonly CheckRow[]; areFiguresShown: boolean }) {
  const { word, named } = useCheckWords()
  return (
    <Scrolling label={caption} className="stacked">
      <table className="findings">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{word('checks.check')}</th>
            <th scope="col">{word('checks.result')}</th>
            <th scope="col">{word('checks.details')}</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ name, check, isComparison }) => (
            <tr key={`${name} ${isComparison}`}>
              <th scope="row">{isComparison ? word('checks.as-declared', { check: named('check', name) }) : named('check', name)}</th>
              <td data-label={word('checks.result')}>
                <div>
                  <Badge kind={kindOf(check.result)}>{named('result', check.result)}</Badge>
                </div>
              </td>
              <td data-label={word('checks.details')}>
                <div>
                  <Requirement name={isComparison ? 'as-declared' : name} />
                  <Properties properties={check.properties ?? []} areFiguresShown={areFiguresShown} />
                  {check.breakdown?.map((part) => (
                    <div key={part.name}>
                      <p className="part">
                        {word('checks.part', { part: named('part', part.name), result: named('result', part.result) })}
                      </p>
                      <Properties properties={part.properties ?? []} areFiguresShown={areFiguresShown} />
                    </div>
                  ))}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}

/** What a check requires, in one sentence; absent for a check whose name states it. */
function Requirement({ name }: { name: string }) {
  const { named } = useCheckWords()
  const sentence = named('asks', name)
  return sentence === name ? null : <p className="part">{sentence}</p>
}

/** Properties whose value is a code that the words explain in a sentence; `problems` holds several codes. */
const explained = ['verdict', 'problems', 'child', 'order', 'check_digit', 'disagree', 'source', 'note', 'agreement']
const isExplained = ({ key, text }: PropertyList[number]): boolean => text !== null && explained.includes(key)

function Properties({ properties, areFiguresShown }: { properties: PropertyList; areFiguresShown: boolean }) {
  const { named } = useCheckWords()
  const codes = properties
    .filter(isExplained)
    .flatMap(({ key, text }) => (key === 'problems' ? (text ?? '').split(' ') : [text ?? '']).map((code) => ({ key, code })))
  const figures = properties.filter((property) => !isExplained(property))
  return (
    <>
      {codes.map(({ key, code }) => (
        <p key={`${key} ${code}`} className="part quiet">
          {named(key, code)}
        </p>
      ))}
      {figures.length > 0 && (
        <ul className="part quiet" hidden={!areFiguresShown}>
          {figures.map((figure) => (
            <li key={figure.key}>
              <Figure figure={figure} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Figure({ figure: { key: name, text, number: value } }: { figure: PropertyList[number] }) {
  const { number, named } = useCheckWords()
  const shown = text ?? (value === null ? '' : number(Math.round(value * 1000) / 1000))
  const sentence = named('measure', name, { value: shown })
  // a newer service may send a measure that this page has no sentence for
  return sentence === name ? `${name}: ${shown}` : sentence
}

interface CheckRow {
  readonly name: string
  readonly check: Check
  /** compared with what the citizen declared */
  readonly isComparison: boolean
}

function checksOf(validations: CrossValidationFieldsFragment): CheckRow[] {
  const grouped = groups.flatMap((group) =>
    Object.entries(validations[group] ?? {}).map(([name, check]) => [name, check, group === 'dataComparison'] as const),
  )
  const single = singleChecks.map((name) => [name, validations[name], false] as const)
  return [...grouped, ...single].flatMap(([name, check, isComparison]) =>
    check == null || typeof check === 'string' ? [] : [{ name, check, isComparison }],
  )
}

const weight = (result: Result): number => (result === 'CONSIDER' ? 0 : result === 'UNIDENTIFIED' ? 1 : 2)
const kindOf = (result: Result): 'good' | 'warn' | 'plain' => (result === 'CLEAR' ? 'good' : result === 'CONSIDER' ? 'warn' : 'plain')
