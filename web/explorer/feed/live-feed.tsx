import { useEffect, useState } from 'react'
import type { PlacedExpression } from '../live/live-channel.ts'
import { ReportButton } from '../participation/report-button.tsx'
import { SentimentWord } from '../sentiment/sentiment-bar.tsx'
import { labelOfSentiment } from '../sentiment/sentiments.ts'
import type { NameOfTopic } from '../topics/topics.ts'
import { useFormats, useWords, writtenIn } from '../words/words.ts'
import type { Feed } from './use-feed.ts'

const againMs = 30_000
/** characters above which a text is folded */
const long = 500

/** The live feed, newest first. */
export function LiveFeed({ feed, nameOf }: { feed: Feed; nameOf: NameOfTopic }) {
  const { word } = useWords()
  const { shown, waiting, isPaused, togglePause } = feed
  useClock(againMs)
  return (
    <section className="now" aria-labelledby="feed-title">
      <div className="row heading">
        <h2 id="feed-title">{word('feed')}</h2>
        <button className="button plain small" type="button" id="pause" aria-pressed={isPaused} onClick={togglePause}>
          {word(isPaused ? 'resume' : 'pause')}
          {isPaused && waiting > 0 && ` (${word('waiting', { count: waiting })})`}
        </button>
      </div>
      <p className="quiet">{word('feedHint')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className="feed" id="feed" role="log" aria-labelledby="feed-title" aria-live="polite" tabIndex={0}>
        <ol>
          {shown.map((expression) => (
            <FeedEntry key={expression.id} expression={expression} nameOf={nameOf} />
          ))}
        </ol>
      </div>
      {shown.length === 0 && <p className="notice">{word('feedEmpty')}</p>}
    </section>
  )
}

function FeedEntry({ expression, nameOf }: { expression: PlacedExpression; nameOf: NameOfTopic }) {
  const { word, language } = useWords()
  const { ago, languageName } = useFormats()
  const { text, lang, classification, sentiment, location, created_at: at } = expression
  const topic = classification?.domain?.id
  const code = lang?.code ?? 'und'
  // does not split a word where there are spaces, nor a surrogate pair
  const start = text.slice(0, text.lastIndexOf(' ', long / 2) + 1 || long / 2)
  const facts = [location?.place, code === language ? undefined : languageName(code)].filter((fact) => fact != null)
  return (
    <li data-sentiment={labelOfSentiment(sentiment?.label)}>
      <p className="about">
        <strong>{topic === undefined ? word('noTopic') : nameOf(topic)}</strong>
        <SentimentWord of={sentiment?.label} />
      </p>
      <div className="said" {...writtenIn(code)}>
        {text.length > long ? (
          <details>
            <summary>{start} …</summary>
            {text.slice(start.length)}
          </details>
        ) : (
          text
        )}
      </div>
      <p className="quiet">
        {facts.map((fact) => (
          <span key={fact}>
            <bdi>{fact}</bdi> ·{' '}
          </span>
        ))}
        <time dateTime={at}>{ago(at) ?? word('justNow')}</time>
      </p>
      <ReportButton expressionId={expression.id} text={text} />
    </li>
  )
}

/** Renders again at an interval, because relative times change. */
function useClock(everyMs: number): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
