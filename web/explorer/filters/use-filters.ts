import { useCallback, useEffect, useState } from 'react'
import type { Box } from '../view/view.ts'
import { boxOfAddress, type Filters, filtersOf, type LayerChoice, layerOfAddress, noFilters, parametersOf } from './address.ts'

export interface FilterState {
  readonly filters: Filters
  /** the area in the address, or the last one shown */
  readonly box: Box | undefined
  choose(some: Partial<Filters>): void
  clear(): void
  moveTo(box: Box | undefined): void
  readonly shown: LayerChoice
  show(shown: LayerChoice): void
}

/** The filters and the map area, stored in the address. */
export function useFilters(): FilterState {
  const [filters, setFilters] = useState(() => filtersOf(location.search))
  const [box, moveTo] = useState(() => boxOfAddress(location.search))
  const [shown, show] = useState(() => layerOfAddress(location.search))
  useEffect(() => {
    // commas stay readable in the address
    const text = parametersOf(filters, { box, shown }, location.search).toString().replaceAll('%2C', ',')
    history.replaceState(null, '', text === '' ? location.pathname : `?${text}`)
  }, [filters, box, shown])
  const choose = useCallback((some: Partial<Filters>) => setFilters((now) => ({ ...now, ...some })), [])
  const clear = useCallback(() => setFilters(noFilters), [])
  return { filters, box, choose, clear, moveTo, shown, show }
}
