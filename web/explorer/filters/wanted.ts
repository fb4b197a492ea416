import type { SentimentLabel } from '@civigraph/client/documents'
import { type Filters, firstDayOf } from './address.ts'

/** Filters as the REST interface and the realtime channel take them; what is any is left out. */
export function wantedOf({ domain, sentiment, written, period }: Filters) {
  const from = firstDayOf(period)
  return {
    ...(domain !== '' && { domain }),
    ...(sentiment !== '' && { sentiment }),
    ...(written !== '' && { lang: written }),
    ...(from !== undefined && { from }),
  }
}

/** Filters as the graph takes them, where a sentiment is a name of an enum. */
export function graphFilterOf(filters: Filters) {
  const { sentiment, ...wanted } = wantedOf(filters)
  return { ...wanted, ...(sentiment !== undefined && { sentiment: sentiment.toUpperCase() as SentimentLabel }) }
}
