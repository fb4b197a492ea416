import { isSentiment, type Sentiment } from '../sentiment/sentiments.ts'
import { type Box, boxOfText, textOfBox } from '../view/view.ts'

/** The layer of the map. */
export const layerChoices = ['rings', 'heat', 'districts'] as const
export type LayerChoice = (typeof layerChoices)[number]

export const periods = ['7', '30', '90', ''] as const

/** Filters of the view; '' matches any. */
export interface Filters {
  /** id of a domain or sub-domain */
  readonly domain: string
  readonly sentiment: Sentiment | ''
  /** language of the expressions */
  readonly written: string
  /** number of days until today, included */
  readonly period: (typeof periods)[number]
  /** words of the text */
  readonly q: string
}

export const noFilters: Filters = { domain: '', sentiment: '', written: '', period: '', q: '' }

/** as the services accept it */
export const maxQueryLength = 500
const dayMs = 86_400_000

/** Returns the first day of a period as the services accept it; undefined for all time. */
export function firstDayOf(period: string, now = Date.now()): string | undefined {
  return period === '' ? undefined : new Date(now - (Number(period) - 1) * dayMs).toISOString().slice(0, 10)
}

/** Returns the filters in an address; ignores values that are not valid. */
export function filtersOf(search: string): Filters {
  const params = new URLSearchParams(search)
  const [sentiment, written, period] = [params.get('sentiment'), params.get('written') ?? '', params.get('period')]
  return {
    domain: (params.get('domain') ?? '').slice(0, 200),
    sentiment: isSentiment(sentiment) ? sentiment : '',
    written: /^[a-z]{2,3}$/.test(written) ? written : '',
    period: periods.find((each) => each === period) ?? '',
    q: (params.get('q') ?? '').slice(0, maxQueryLength),
  }
}

/** Returns the layer in an address. */
export const layerOfAddress = (search: string): LayerChoice =>
  layerChoices.find((each) => each === new URLSearchParams(search).get('layer')) ?? 'rings'

/** Returns the map area in an address. */
export const boxOfAddress = (search: string): Box | undefined => boxOfText(new URLSearchParams(search).get('bbox') ?? '')

/** Map area and layer. */
export interface View {
  /** undefined: not yet set */
  readonly box: Box | undefined
  readonly shown: LayerChoice
}

/** Returns the parameters of a view that can be shared. Other parameters of the address are preserved. */
export function parametersOf(filters: Filters, { box, shown }: View, search: string): URLSearchParams {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries({
    ...filters,
    layer: shown === 'rings' ? '' : shown,
    bbox: box === undefined ? '' : textOfBox(box),
  })) {
    if (value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  return parameters
}

/** Returns the filters as the REST interface and the realtime channel accept them, without those that match any value. */
export function wantedOf({ domain, sentiment, written, period, q }: Filters) {
  const from = firstDayOf(period)
  return {
    ...(domain !== '' && { domain }),
    ...(sentiment !== '' && { sentiment }),
    ...(written !== '' && { lang: written }),
    ...(from !== undefined && { from }),
    ...(q !== '' && { q }),
  }
}
