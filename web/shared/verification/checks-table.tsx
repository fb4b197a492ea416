import type { CrossValidationFieldsFragment } from '@civigraph/client/documents'
import { Badge } from '../../components/badge.tsx'
import { Scrolling } from '../../components/scrolling.tsx'
import { useCheckWords } from './words/words.ts'

type Check = NonNullable<CrossValidationFieldsFragment['dataConsistency']>
type Result = Check['result']
const groups = ['faceComparison', 'imageIntegrity', 'dataValidation', 'dataComparison'] as const
const alone = ['dataConsistency', 'barcodes', 'liveness', 'duplicates'] as const

/** Every check that was made, what it found, and the numbers it went by: those that speak against verified first. */
export function ChecksTable({ found }: { found: CrossValidationFieldsFragment }) {
  const { word, named } = useCheckWords()
  const checks = checksOf(found).sort((one, other) => weight(one.check.result) - weight(other.check.result))
  return (
    <Scrolling label={word('checks.title')}>
      <table className="findings">
        <caption className="unseen">{word('checks.title')}</caption>
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
              <td>
                <Badge kind={kindOf(check.result)}>{named('result', check.result)}</Badge>
              </td>
              <td>
                <Asked name={isComparison ? 'as-declared' : name} />
                <Properties properties={check.properties} />
                {check.breakdown?.map((part) => (
                  <p key={part.name} className="part">
                    {part.name}: {named('result', part.result)} <Properties properties={part.properties} />
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}

/** What a check asks for, in a sentence; nothing where its name says it. */
function Asked({ name }: { name: string }) {
  const { named } = useCheckWords()
  const sentence = named('asks', name)
  return sentence === name ? null : <p className="part">{sentence}</p>
}

function Properties({ properties }: { properties: Check['properties'] }) {
  const { number } = useCheckWords()
  if (properties === null) return null
  return (
    <span className="quiet">
      {properties
        .map(({ key, text, number: value }) => `${key} ${text ?? (value === null ? '' : number(Math.round(value * 1000) / 1000))}`)
        .join(', ')}
    </span>
  )
}

interface Found {
  readonly name: string
  readonly check: Check
  /** with what the citizen declared */
  readonly isComparison: boolean
}

function checksOf(found: CrossValidationFieldsFragment): Found[] {
  const grouped = groups.flatMap((group) =>
    Object.entries(found[group] ?? {}).map(([name, check]) => [name, check, group === 'dataComparison'] as const),
  )
  const single = alone.map((name) => [name, found[name], false] as const)
  return [...grouped, ...single].flatMap(([name, check, isComparison]) =>
    check == null || typeof check === 'string' ? [] : [{ name, check, isComparison }],
  )
}

const weight = (result: Result): number => (result === 'CONSIDER' ? 0 : result === 'UNIDENTIFIED' ? 1 : 2)
const kindOf = (result: Result): 'good' | 'warn' | 'plain' => (result === 'CLEAR' ? 'good' : result === 'CONSIDER' ? 'warn' : 'plain')
