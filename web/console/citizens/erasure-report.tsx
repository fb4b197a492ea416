import type { CitizenDataReportFieldsFragment } from '@civigraph/client/documents'
import { useErasureWords } from './erasure-words/words.ts'

export interface ErasureReportProps {
  readonly reports: readonly CitizenDataReportFieldsFragment[]
  /** whether the data is still there: a preview */
  readonly isPreview?: boolean
  /** level of the headings */
  readonly level: 'h2' | 'h3'
}

/** Lists what an erasure removes from all components, and what remains and why. */
export function ErasureReport({ reports, isPreview = false, level: Heading }: ErasureReportProps) {
  const { word, named, number } = useErasureWords()
  const erased = reports.flatMap(({ component, erased }) => erased.map((each) => ({ component, ...each })))
  const remaining = reports.flatMap(({ component, remaining }) => remaining.map((each) => ({ component, ...each })))
  return (
    <>
      <Heading>{word(isPreview ? 'erasure.will' : 'erasure.was')}</Heading>
      {erased.length === 0 ? (
        <p>{word('erasure.nothing')}</p>
      ) : (
        <ul className="lines">
          {erased.map(({ component, kind, count }) => (
            <li key={`${component} ${kind}`}>
              {named('erasable', kind)} (<strong>{number(count)}</strong>)
            </li>
          ))}
        </ul>
      )}
      <Heading>{word('erasure.stays')}</Heading>
      <ul className="lines">
        {remaining.map(({ component, kind, count, expressionIds }) => (
          <li key={`${component} ${kind}`}>
            <span className="quiet">{named('citizen-data', component)}</span> {named('remaining', kind)}
            {count != null && (
              <>
                {' '}
                (<strong>{number(count)}</strong>)
              </>
            )}
            {expressionIds.length > 0 && (
              <details>
                <summary>{word('erasure.listed')}</summary>
                <ul>
                  {expressionIds.map((id) => (
                    <li key={id}>
                      <code>{id}</code>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
