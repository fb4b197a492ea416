import type { VerificationResultFieldsFragment } from '@civigraph/client/documents'
import { useCheckWords } from '../../shared/verification/checks-table.tsx'
import { useWords } from '../words/words.ts'

/** The scores in per cent. One colour for every value: the outcome states what is good enough. */
export function Scores({ scores }: { scores: NonNullable<VerificationResultFieldsFragment['scores']> }) {
  const { word, percent } = useWords()
  const { named } = useCheckWords()
  const present = Object.entries(scores).filter((each): each is [string, number] => typeof each[1] === 'number')
  return (
    <>
      <h2>{word('result.scores')}</h2>
      <table className="scores">
        <thead className="unseen">
          <tr>
            <th scope="col">{word('result.score')}</th>
            <th scope="col">{word('result.of-hundred')}</th>
          </tr>
        </thead>
        <tbody>
          {present.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{named('score', name)}</th>
              <td>
                <span className="score">
                  <meter min={0} max={1} value={value} aria-hidden="true" />
                  {percent(value)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
