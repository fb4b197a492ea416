import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import type { District } from '../map/districts.ts'
import { type ClusterProperties, countsOf, type MapFeature } from '../map/features.ts'
import { boxOfTile } from '../map/view.ts'
import { SentimentBar, SentimentWord } from '../sentiment/sentiment-bar.tsx'
import { knownOf, type SentimentCounts, sentiments, withUnknown } from '../sentiment/sentiments.ts'
import type { NameOfTopic } from '../topics/topics.ts'
import { useFormats, useWords } from '../words/words.ts'
import { SaidHere, type SaidHereProps } from './said-here.tsx'
import { SinglePanel } from './single-panel.tsx'

const mostTopics = 3

export interface ChoicePanelProps extends Omit<SaidHereProps, 'box'> {
  readonly chosen: MapFeature | District
  /** name of the place */
  readonly title: string
  readonly onClose: () => void
  readonly onZoomIn: (feature: MapFeature, zoom: number) => void
}

/** Details of the selection: a cluster, one expression, or a district. */
export function ChoicePanel({ chosen, title, onClose, onZoomIn, ...shared }: ChoicePanelProps) {
  const { word } = useWords()
  return (
    <section className="card details" id="details" aria-label={title}>
      <button type="button" className="close" aria-label={word('close')} onClick={onClose}>
        ×
      </button>
      <p className="quiet" role="status">
        {title}
      </p>
      {'code' in chosen ? (
        <Summary
          count={chosen.expressions}
          counts={withUnknown(chosen.sentiment, chosen.expressions)}
          topics={topicsOf(chosen)}
          {...shared}
        />
      ) : chosen.properties.cluster ? (
        <Group feature={chosen} properties={chosen.properties} onZoomIn={onZoomIn} {...shared} />
      ) : (
        <SinglePanel point={chosen.properties} {...shared} />
      )}
    </section>
  )
}

const topicsOf = ({ domains }: District): readonly (readonly [string, number])[] => domains.map(({ count, domain }) => [domain.id, count])

function Group({
  feature,
  properties,
  onZoomIn,
  ...shared
}: Omit<SaidHereProps, 'box'> & { feature: MapFeature; properties: ClusterProperties; onZoomIn: ChoicePanelProps['onZoomIn'] }) {
  const { word } = useWords()
  return (
    <>
      <Summary count={properties.point_count} counts={countsOf(feature)} topics={Object.entries(properties.domains)} nameOf={shared.nameOf}>
        <Button className="button plain small" onPress={() => onZoomIn(feature, properties.expansion_zoom)}>
          {word('zoomIn')}
        </Button>
      </Summary>
      <SaidHere box={boxOfTile(properties.cluster_id)} {...shared} />
    </>
  )
}

interface SummaryProps {
  readonly count: number
  readonly counts: SentimentCounts
  readonly topics: readonly (readonly [id: string, count: number])[]
  readonly nameOf: NameOfTopic
  readonly children?: ReactNode
}

function Summary({ count, counts, topics, nameOf, children }: SummaryProps) {
  const { word, number } = useWords()
  const { percent } = useFormats()
  const known = knownOf(counts)
  return (
    <>
      <h3>{word('group', { count })}</h3>
      <SentimentBar counts={counts} />
      {known > 0 && (
        <p className="shares">
          {sentiments.map((sentiment) => (
            <span key={sentiment}>
              <SentimentWord of={sentiment} /> {percent(counts[sentiment] / known)}
            </span>
          ))}
        </p>
      )}
      {topics.length > 0 && (
        <>
          <p className="quiet">{word('topicsHere')}</p>
          <ul>
            {topics
              .toSorted(([, a], [, b]) => b - a)
              .slice(0, mostTopics)
              .map(([id, many]) => (
                <li key={id}>
                  {nameOf(id)} <span className="quiet">{number(many)}</span>
                </li>
              ))}
          </ul>
        </>
      )}
      {children}
    </>
  )
}
