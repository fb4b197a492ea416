import { useWords } from '../words/words.ts'
import { classifiedCount, labelOfSentiment, type SentimentCounts, sentiments } from './sentiments.ts'

/** A bar with one part per sentiment; the numbers are beside it. */
export function SentimentBar({ counts, width }: { counts: SentimentCounts; width?: string }) {
  const total = classifiedCount(counts) + counts.unknown
  return (
    <span className="stack" aria-hidden="true" style={width === undefined ? undefined : { inlineSize: width }}>
      {[...sentiments, 'unknown' as const]
        .filter((sentiment) => counts[sentiment] > 0)
        .map((sentiment) => (
          <span key={sentiment} className="part" data-sentiment={sentiment} style={{ flexGrow: counts[sentiment] / total }} />
        ))}
    </span>
  )
}

/** A sentiment as a word with a sign. */
export function SentimentWord({ of }: { of: string | null | undefined }) {
  const { word } = useWords()
  const label = labelOfSentiment(of)
  return (
    <span className="sentiment" data-sentiment={label}>
      {word(label === 'unknown' ? 'unknownSentiment' : label)}
    </span>
  )
}

/** The legend of colours and signs. */
export function SentimentLegend({ isUnknownShown = false }: { isUnknownShown?: boolean }) {
  return (
    <ul className="legend">
      {[...sentiments, ...(isUnknownShown ? ['unknown'] : [])].map((sentiment) => (
        <li key={sentiment}>
          <SentimentWord of={sentiment} />
        </li>
      ))}
    </ul>
  )
}
