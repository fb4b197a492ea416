import { useFindingWords } from '../../shared/verification/checks-table.tsx'
import type { Finding } from '../../shared/verification/findings.ts'
import { useWords } from '../words/words.ts'
import { advicesFor } from './advice.ts'

interface ReasonsProps {
  readonly findings: readonly Finding[]
  /** reason of a reviewer's rejection; null without one */
  readonly decision: string | null
  /** why the images could not be assessed; null unless the outcome is ERROR */
  readonly failure: { readonly code: string; readonly field: string | null } | null
}

/** The reasons against verification in plain language, with advice. */
export function Reasons({ findings, decision, failure }: ReasonsProps) {
  const { word, named } = useWords()
  const sentenceOf = useFindingWords()
  const sentences =
    failure === null
      ? [
          ...(decision === null ? [] : [{ key: decision, text: named('decision', decision) }]),
          ...findings.map((finding) => ({ key: finding.reason, text: sentenceOf(finding) })),
        ]
      : [
          {
            key: failure.code,
            text: `${failure.field === null ? '' : `${named('image', failure.field)}: `}${named('failure', failure.code)}`,
          },
        ]
  if (sentences.length === 0) return null
  return (
    <>
      <h2>{word('reasons', { count: sentences.length })}</h2>
      <ul className="reasons">
        {sentences.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
      {failure === null && (
        <>
          <h2>{word('advice.title')}</h2>
          <ul>
            {advicesFor(findings, decision).map((advice) => (
              <li key={advice}>{word(`do.${advice}`)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
