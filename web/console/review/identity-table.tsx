import { Scrolling } from '../../components/keyboard.tsx'
import { useWords } from '../words/words.ts'
import { type Evidence, type IdentityRow, identityRows } from './identity-rows.ts'

/** rows whose values stay on one line */
const dates: readonly IdentityRow['term'][] = ['person.born', 'person.expires']

/** What the citizen declared beside what was read from the two zones of the document; values that differ are marked. */
export function IdentityTable({ evidence }: { evidence: Evidence }) {
  const { word, named } = useWords()
  return (
    <section aria-labelledby="identity">
      <h2 id="identity">{word('review.identity')}</h2>
      {evidence.printedIdentity === null && evidence.machineReadableIdentity === null && <p className="quiet">{word('review.not-read')}</p>}
      <Scrolling label={word('review.identity')} className="stacked">
        <table className="findings identity">
          <caption className="unseen">{word('review.identity')}</caption>
          <thead>
            <tr>
              <th scope="col">{word('review.value')}</th>
              <th scope="col">{word('review.declared')}</th>
              <th scope="col">{word('review.printed')}</th>
              <th scope="col">{word('review.zone')}</th>
            </tr>
          </thead>
          <tbody>
            {identityRows(evidence).map(({ term, cells }) => (
              <tr key={term}>
                <th scope="row">{word(term)}</th>
                {cells.map(({ column, value, differs }) => (
                  <td key={column} className={differs ? 'differs' : undefined} data-label={word(`review.${column}`)}>
                    <div>
                      {value === undefined ? (
                        <span className="quiet">–</span>
                      ) : (
                        <bdi className={dates.includes(term) ? 'date' : undefined}>
                          {term === 'person.gender' ? named('sex', value) : value}
                        </bdi>
                      )}
                      {differs && <span className="mark">{word('review.differs')}</span>}
                    </div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  )
}
