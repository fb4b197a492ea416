import { useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useLanguage } from '../../shared/words/language.tsx'
import { addressOf, type Place, placeIn } from './place.ts'

export interface PlaceState extends Place {
  /** @param id - undefined for the root   @param tenant - (default: the one that is shown) */
  addressOf(id: string | undefined, tenant?: string): string
  go(id: string | undefined, tenant?: string): void
}

/** Where the reader is, and the addresses of other places; a language that is in the address stays in it. */
export function usePlace(): PlaceState {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  return useMemo(() => {
    const { tenant, id } = placeIn(search)
    const lang = hasLanguage(search) ? language : undefined
    const addressTo = (to: string | undefined, of = tenant): string => addressOf({ tenant: of, id: to }, lang)
    return { tenant, id, addressOf: addressTo, go: (to, of) => navigate(addressTo(to, of)) }
  }, [search, language, navigate])
}

/** For the page as a whole, once: a language that is in the address is the one that was chosen last. */
export function useLanguageInAddress(): void {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  useEffect(() => {
    if (hasLanguage(search)) navigate(addressOf(placeIn(search), language), { replace: true, state: history.state })
    // what else changes the address has the language in it already
  }, [language])
}

const hasLanguage = (search: string): boolean => new URLSearchParams(search).has('lang')
