import type { CrossValidationFieldsFragment } from '@civigraph/client/documents'
import { useWords } from '../words/words.ts'

type Check = NonNullable<CrossValidationFieldsFragment['dataConsistency']>

/** What was checked, with the worst result of each group. */
export function CheckSummary({ validations }: { validations: CrossValidationFieldsFragment }) {
  const { word } = useWords()
  const groups = {
    face: checksIn(validations.faceComparison),
    photographs: checksIn(validations.imageIntegrity),
    document: [...checksIn(validations.dataValidation), validations.dataConsistency, validations.barcodes],
    declared: checksIn(validations.dataComparison),
    liveness: [validations.liveness],
    duplicates: [validations.duplicates],
  } as const
  const findings = Object.entries(groups).flatMap(([name, checks]) => {
    const results = checks.flatMap((check) => (check == null ? [] : [check.result]))
    return results.length === 0 ? [] : [{ name: name as keyof typeof groups, state: stateOf(results) }]
  })
  return (
    <>
      <h2>{word('looked.title')}</h2>
      <ul className="looked">
        {findings.map(({ name, state }) => (
          <li key={name}>
            <span>{word(`looked.${name}`)}</span>
            <span className="state" data-state={state}>
              {word(`found.${state}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function checksIn(group: Readonly<Record<string, Check | null>> | null): readonly (Check | null)[] {
  return group === null ? [] : Object.values(group).filter((check) => typeof check === 'object')
}

function stateOf(results: readonly Check['result'][]): 'good' | 'warn' | 'none' {
  if (results.includes('CONSIDER')) return 'warn'
  return results.includes('CLEAR') ? 'good' : 'none'
}
