export const sentiments = ['positive', 'neutral', 'negative'] as const
export type Sentiment = (typeof sentiments)[number]

/** Counts per sentiment; expressions without one are unknown. */
export type SentimentCounts = Readonly<Record<Sentiment | 'unknown', number>>

export const isSentiment = (text: unknown): text is Sentiment => sentiments.some((each) => each === text)

export const labelOfSentiment = (text: string | null | undefined): Sentiment | 'unknown' => {
  const lower = text?.toLowerCase()
  return isSentiment(lower) ? lower : 'unknown'
}

export const classifiedCount = (counts: Readonly<Record<Sentiment, number>>): number =>
  sentiments.reduce((sum, each) => sum + counts[each], 0)

/** @param total - including expressions without a sentiment */
export const withUnknown = ({ positive, neutral, negative }: Readonly<Record<Sentiment, number>>, total: number): SentimentCounts => ({
  positive,
  neutral,
  negative,
  unknown: Math.max(0, total - positive - neutral - negative),
})
