import type { SentimentLabel } from '@civigraph/client/documents'
import { type Filters, firstDayOf } from './address.ts'

/** Returns the filters as the REST interface and the realtime channel accept them, without those that match any value. */
export function wantedOf({ domain, sentiment, written, period }: Filters) {
  const from = firstDayOf(period)
  return {
    ...(domain !== '' && { domain }),
    ...(sentiment !== '' && { sentiment }),
    ...(written !== '' && { lang: written }),
    ...(from !== undefined && { from }),
  }
}

/** Returns the filters as the GraphQL API accepts them, with sentiments as enum names. */
export function graphFilterOf(filters: Filters) {
  const { sentiment, ...wanted } = wantedOf(filters)
  return { ...wanted, ...(sentiment !== undefined && { sentiment: sentiment.toUpperCase() as SentimentLabel }) }
}
