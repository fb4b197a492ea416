import { ExpressionByIdDocument } from '@civigraph/client/documents'
import { queried } from '../reading/graph.ts'
import { useReading } from '../reading/use-reading.ts'
import { SentimentWord } from '../sentiment/sentiment-bar.tsx'
import type { PointProperties } from '../view/features.ts'
import { useFormats, useWords } from '../words/words.ts'
import { PlacedExpression, type PlaceExpressionsProps } from './place-expressions.tsx'

/** One expression: first what the map has of it, then its text. */
export function SinglePanel({
  point,
  nameOf,
  isVotingOpen,
  withdrawn,
}: Pick<PlaceExpressionsProps, 'nameOf' | 'isVotingOpen' | 'withdrawn'> & { point: PointProperties }) {
  const { word } = useWords()
  const { ago, languageName } = useFormats()
  const { answer } = useReading(point.id, async (signal) => (await queried(ExpressionByIdDocument, { id: point.id }, signal)).expression)
  if (withdrawn.has(point.id)) return <p role="status">{word('withdrawn')}</p>
  return (
    <>
      <h3>{point.domain === null ? word('noTopic') : nameOf(point.domain)}</h3>
      {answer == null ? (
        <>
          <p>
            <SentimentWord of={point.sentiment} />
          </p>
          <p className="quiet">
            {[languageName(point.lang) ?? word('languageUnknown'), ago(point.created_at) ?? word('justNow')].join(' · ')}
          </p>
        </>
      ) : (
        <ol className="said-here">
          <PlacedExpression expression={answer} nameOf={nameOf} isVotingOpen={isVotingOpen} />
        </ol>
      )}
    </>
  )
}
