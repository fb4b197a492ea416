import { type LayerChoice, layerChoices } from '../map/layer-choice.ts'
import type { Box } from '../map/view.ts'
import { boxOfText, textOfBox } from '../map/view.ts'
import { isSentiment, type Sentiment } from '../sentiment/sentiments.ts'

export const periods = ['7', '30', '90', ''] as const

/** What somebody wants to see; '' is any. */
export interface Filters {
  /** id of a domain or sub-domain */
  readonly domain: string
  readonly sentiment: Sentiment | ''
  /** the language that it is written in */
  readonly written: string
  /** the last days, today included */
  readonly period: (typeof periods)[number]
}

export const noFilters: Filters = { domain: '', sentiment: '', written: '', period: '' }

const dayMs = 86_400_000

/** The first day of a period as services take it; undefined: since the beginning. */
export function firstDayOf(period: string, now = Date.now()): string | undefined {
  return period === '' ? undefined : new Date(now - (Number(period) - 1) * dayMs).toISOString().slice(0, 10)
}

/** What an address asks for; whatever is none of it is not looked at. */
export function filtersOf(search: string): Filters {
  const asked = new URLSearchParams(search)
  const [sentiment, written, period] = [asked.get('sentiment'), asked.get('written') ?? '', asked.get('period')]
  return {
    domain: (asked.get('domain') ?? '').slice(0, 200),
    sentiment: isSentiment(sentiment) ? sentiment : '',
    written: /^[a-z]{2,3}$/.test(written) ? written : '',
    period: periods.find((each) => each === period) ?? '',
  }
}

/** How an address wants it shown. */
export const layerOfAddress = (search: string): LayerChoice =>
  layerChoices.find((each) => each === new URLSearchParams(search).get('layer')) ?? 'rings'

/** The part of the world that an address asks for. */
export const boxOfAddress = (search: string): Box | undefined => boxOfText(new URLSearchParams(search).get('bbox') ?? '')

/** What of the world is shown, and how. */
export interface View {
  /** undefined: not placed yet */
  readonly box: Box | undefined
  readonly shown: LayerChoice
}

/** The parameters of a view, which can be sent to somebody. What else an address asks for stays. */
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
