import { Button } from '../../components/button.tsx'
import type { Filters } from '../filters/address.ts'
import { ReportButton } from '../participation/report-button.tsx'
import { VoteButtons, VoteClasses } from '../participation/vote-buttons.tsx'
import { SentimentWord } from '../sentiment/sentiment-bar.tsx'
import { ToneChart } from '../tone/tone-chart.tsx'
import type { NameOfTopic } from '../topics/topics.ts'
import type { Box } from '../view/view.ts'
import { useFormats, useWords, writtenIn } from '../words/words.ts'
import { type PlaceExpression, usePlace } from './use-place.ts'

export interface PlaceExpressionsProps {
  readonly box: Box
  readonly filters: Filters
  readonly nameOf: NameOfTopic
  readonly isVotingOpen: boolean
  /** ids of withdrawn expressions, which are removed */
  readonly withdrawn: ReadonlySet<string>
}

/** The sentiment of a place over time, and its expressions with votes. */
export function PlaceExpressions({ box, filters, nameOf, isVotingOpen, withdrawn }: PlaceExpressionsProps) {
  const { word } = useWords()
  const { expressions: read, hasMore, tone, isFailing, more } = usePlace(box, filters)
  const expressions = read?.filter(({ id }) => !withdrawn.has(id))
  return (
    <>
      <h4>{word('toneHere')}</h4>
      {tone === undefined ? <p className="quiet">{word('loading')}</p> : <ToneChart days={tone} height={140} />}
      <h4>{word('saidHere')}</h4>
      {isFailing && <p role="alert">{word('failed')}</p>}
      {expressions === undefined && !isFailing && <p className="quiet">{word('loading')}</p>}
      {expressions?.length === 0 && <p className="quiet">{word('saidHere.none')}</p>}
      <ol className="said-here">
        {expressions?.map((expression) => (
          <PlacedExpression key={expression.id} expression={expression} nameOf={nameOf} isVotingOpen={isVotingOpen} />
        ))}
      </ol>
      {hasMore && (
        <Button className="button plain small" onPress={more}>
          {word('more')}
        </Button>
      )}
    </>
  )
}

export function PlacedExpression({
  expression,
  nameOf,
  isVotingOpen,
}: Pick<PlaceExpressionsProps, 'nameOf' | 'isVotingOpen'> & { expression: PlaceExpression }) {
  const { word } = useWords()
  const { ago } = useFormats()
  const { id, text, lang, classification, sentiment, createdAt, votes } = expression
  const topic = classification?.domain?.domain.id
  return (
    <li>
      <p className="about">
        <strong>{topic === undefined ? word('noTopic') : nameOf(topic)}</strong> <SentimentWord of={sentiment?.label} />
      </p>
      <p className="said" {...writtenIn(lang?.code)}>
        {text}
      </p>
      <p className="quiet">
        <time dateTime={createdAt}>{ago(createdAt) ?? word('justNow')}</time>
        {classification?.taxonomyVersion != null && ` · ${word('classifiedWith', { version: classification.taxonomyVersion })}`}
      </p>
      {isVotingOpen ? <VoteButtons expressionId={id} votes={votes} /> : <VoteClasses votes={votes} />}
      <ReportButton expressionId={id} text={text} />
    </li>
  )
}
