import { useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useLanguage } from '../../shared/words/language.tsx'
import { addressOf, type Place, placeIn } from './place.ts'

export interface PlaceState extends Place {
  /** @param id - undefined for the root   @param tenant - (default: the current one) */
  addressOf(id: string | undefined, tenant?: string): string
  go(id: string | undefined, tenant?: string): void
}

/** The current place, and the addresses of other places; a language in the address is preserved. */
export function usePlace(): PlaceState {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  return useMemo(() => {
    const { tenant, id, access } = placeIn(search)
    const lang = hasLanguage(search) ? language : undefined
    const addressTo = (to: string | undefined, of = tenant): string =>
      addressOf({ tenant: of, id: to, access: of === tenant ? access : undefined }, lang)
    return { tenant, id, access, addressOf: addressTo, go: (to, of) => navigate(addressTo(to, of)) }
  }, [search, language, navigate])
}

/** Writes the selected language into an address that has one; used once per page. */
export function useLanguageInAddress(): void {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  useEffect(() => {
    if (hasLanguage(search)) navigate(addressOf(placeIn(search), language), { replace: true, state: history.state })
    // other changes of the address preserve the language
  }, [language])
}

const hasLanguage = (search: string): boolean => new URLSearchParams(search).has('lang')
