import { Button } from '../../../components/button.tsx'
import { Scrolling } from '../../../components/keyboard.tsx'
import { sentiments } from '../../sentiment/sentiments.ts'
import { countOf, countsOf, idOf, type MapFeature } from '../../view/features.ts'
import { useWords } from '../../words/words.ts'
import type { PlaceText } from './place-text.ts'

const maxRows = 50

export interface MapTableProps {
  readonly features: readonly MapFeature[]
  readonly placeText: PlaceText
  /** distance in degrees within which a town is near */
  readonly reach: number
  readonly onShow: (feature: MapFeature) => void
}

/** The largest groups in view as rows. */
export function MapTable({ features, placeText, reach, onShow }: MapTableProps) {
  const { word, number } = useWords()
  const rows = features.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, maxRows)
  return (
    <Scrolling label={word('tableCaption')} className="rows">
      <table>
        <caption className="unseen">{word('tableCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{word('place')}</th>
            {(['expressions', ...sentiments] as const).map((name) => (
              <th key={name} scope="col" className="number">
                {word(name)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((feature) => {
            const [lon, lat] = feature.geometry.coordinates
            const counts = countsOf(feature)
            const place = placeText(lon, lat, reach)
            return (
              <tr key={idOf(feature)}>
                <th scope="row">{place}</th>
                {[countOf(feature), ...sentiments.map((sentiment) => counts[sentiment])].map((each, index) => (
                  <td key={index} className="number">
                    {number(each)}
                  </td>
                ))}
                <td>
                  <Button className="button plain small" aria-label={`${word('showOnMap')}: ${place}`} onPress={() => onShow(feature)}>
                    {word('show')}
                  </Button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scrolling>
  )
}
