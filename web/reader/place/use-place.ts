import { useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useLanguage } from '../../shared/words/language.tsx'
import { addressOf, type Place, placeIn } from './place.ts'

/** Ways to look at a place: the page of its text, or the texts around it. */
type PlaceView = 'page' | 'pyramid'

export interface PlaceState extends Place {
  /** @param id - undefined for the root   @param tenant - (default: the current one) */
  addressOf(id: string | undefined, tenant?: string): string
  go(id: string | undefined, tenant?: string): void
  /** @param id - undefined for the root */
  addressIn(view: PlaceView, id: string | undefined): string
  /** @param replaces - whether Back skips the current place */
  show(view: PlaceView, id: string | undefined, replaces?: boolean): void
}

/** The current place, and the addresses of other places; a language and a view in the address are preserved. */
export function usePlace(): PlaceState {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  return useMemo(() => {
    const place = placeIn(search)
    const { tenant, view, access } = place
    const lang = hasLanguage(search) ? language : undefined
    const addressTo = (to: string | undefined, of = tenant): string =>
      addressOf({ tenant: of, id: to, view, access: of === tenant ? access : undefined }, lang)
    const addressIn = (wanted: PlaceView, to: string | undefined): string =>
      addressOf({ ...place, id: to, view: wanted === 'page' ? undefined : wanted }, lang)
    return {
      ...place,
      addressOf: addressTo,
      go: (to, of) => navigate(addressTo(to, of)),
      addressIn,
      show: (wanted, to, replaces = false) => navigate(addressIn(wanted, to), { replace: replaces }),
    }
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
