import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import type { District } from '../reading/districts.ts'
import { SentimentBar, SentimentWord } from '../sentiment/sentiment-bar.tsx'
import { classifiedCount, type SentimentCounts, sentiments, withUnknown } from '../sentiment/sentiments.ts'
import type { NameOfTopic } from '../topics/topics.ts'
import { type ClusterProperties, countsOf, type MapFeature } from '../view/features.ts'
import { boxOfTile } from '../view/view.ts'
import { useFormats, useWords } from '../words/words.ts'
import { PlaceExpressions, type PlaceExpressionsProps } from './place-expressions.tsx'
import { SinglePanel } from './single-panel.tsx'

const maxTopics = 3

export interface ChoicePanelProps extends Omit<PlaceExpressionsProps, 'box'> {
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
}: Omit<PlaceExpressionsProps, 'box'> & { feature: MapFeature; properties: ClusterProperties; onZoomIn: ChoicePanelProps['onZoomIn'] }) {
  const { word } = useWords()
  return (
    <>
      <Summary count={properties.point_count} counts={countsOf(feature)} topics={Object.entries(properties.domains)} nameOf={shared.nameOf}>
        <Button className="button plain small" onPress={() => onZoomIn(feature, properties.expansion_zoom)}>
          {word('zoomIn')}
        </Button>
      </Summary>
      <PlaceExpressions box={boxOfTile(properties.cluster_id)} {...shared} />
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
  const total = classifiedCount(counts)
  return (
    <>
      <h3>{word('group', { count })}</h3>
      <SentimentBar counts={counts} />
      {total > 0 && (
        <p className="shares">
          {sentiments.map((sentiment) => (
            <span key={sentiment}>
              <SentimentWord of={sentiment} /> {percent(counts[sentiment] / total)}
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
              .slice(0, maxTopics)
              .map(([id, count]) => (
                <li key={id}>
                  {nameOf(id)} <span className="quiet">{number(count)}</span>
                </li>
              ))}
          </ul>
        </>
      )}
      {children}
    </>
  )
}
