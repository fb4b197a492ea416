import type { ExplorerFiguresQuery } from '@civigraph/client/documents'
import { SentimentBar } from '../sentiment/sentiment-bar.tsx'
import { classifiedCount, withUnknown } from '../sentiment/sentiments.ts'
import { useFormats, useWords } from '../words/words.ts'

export type Figures = NonNullable<ExplorerFiguresQuery['statistics']>

/** The key figures of the page. @param figures - undefined while loading */
export function KeyFigures({ figures }: { figures: Figures | undefined }) {
  const { word } = useWords()
  const { compact, percent } = useFormats()
  const shown = (value: number | null | undefined): string => (value == null ? '–' : compact(value))
  const total = figures === undefined ? 0 : classifiedCount(figures.sentiment)
  const rows = [
    ['expressions', shown(figures?.expressions.total)],
    ['today', shown(figures?.expressions.today)],
    ['votes', shown(figures?.votes.total)],
    ['participants', shown(figures?.participants)],
  ] as const
  return (
    <section className="overview" aria-label={word('figures')}>
      <dl className="figures">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{word(name)}</dt>
            <dd id={`figure-${name}`}>{value}</dd>
            {name === 'votes' && figures !== undefined && (
              <dd id="figure-unverified" className="beside">
                {word('votes.unverified', { count: figures.votes.unverified.total })}
              </dd>
            )}
          </div>
        ))}
        <div className="balance">
          <dt>{word('share')}</dt>
          <dd id="figure-share">{figures === undefined || total === 0 ? '–' : percent(figures.sentiment.positive / total)}</dd>
          {figures !== undefined && total > 0 && (
            <dd className="bar">
              <SentimentBar counts={withUnknown(figures.sentiment, total)} />
            </dd>
          )}
        </div>
      </dl>
    </section>
  )
}
