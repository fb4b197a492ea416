import { Scrolling } from '../../../components/keyboard.tsx'
import { labelIn } from '../../../shared/words/words-in.ts'
import type { District } from '../../reading/districts.ts'
import { sentiments } from '../../sentiment/sentiments.ts'
import { useWords } from '../../words/words.ts'

/** The districts as rows, most expressions first. */
export function DistrictTable({ districts }: { districts: readonly District[] }) {
  const { word, number, language } = useWords()
  const rows = districts.filter(({ expressions }) => expressions > 0).toSorted((a, b) => b.expressions - a.expressions)
  if (rows.length === 0) return <p className="quiet">{word('noDistrict')}</p>
  return (
    <Scrolling label={word('districtTable')} className="rows">
      <table>
        <caption className="unseen">{word('districtTable')}</caption>
        <thead>
          <tr>
            <th scope="col">{word('place')}</th>
            {(['expressions', ...sentiments, 'votes'] as const).map((name) => (
              <th key={name} scope="col" className="number">
                {word(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, labels, expressions, sentiment, votes }) => (
            <tr key={code}>
              <th scope="row">{labelIn(language, labels) ?? code}</th>
              <td className="number">{number(expressions)}</td>
              {sentiments.map((each) => (
                <td key={each} className="number">
                  {number(sentiment[each])}
                </td>
              ))}
              <td className="number">{number(votes.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}
