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
  const asked = new URLSearchParams(search).get('lang')
  const lang = asked === null ? undefined : language
  const { tenant, id } = placeIn(search)
  useEffect(() => {
    if (lang !== undefined && lang !== asked) navigate(addressOf({ tenant, id }, lang), { replace: true, state: history.state })
  }, [lang, asked, tenant, id, navigate])
  return useMemo(() => {
    const addressTo = (to: string | undefined, of = tenant): string => addressOf({ tenant: of, id: to }, lang)
    return { tenant, id, addressOf: addressTo, go: (to, of) => navigate(addressTo(to, of)) }
  }, [tenant, id, lang, navigate])
}
