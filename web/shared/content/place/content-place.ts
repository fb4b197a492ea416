import { createContext, useContext } from 'react'
import type { Library } from '../text/library.ts'

/** What a page gives to what is shared around texts: where they are read, and how one comes from one to another. */
export interface ContentPlace {
  /** the same as long as the tenant is */
  readonly library: Library
  /** under which name this browser keeps what is typed and not yet saved */
  readonly drafts: string
  /** of the heading that the title of a text is on this page */
  readonly level: 1 | 2
  /** @param id - undefined for the root */
  addressOf(id: string | undefined): string
  go(id: string | undefined): void
}

const PlaceContext = createContext<ContentPlace | undefined>(undefined)

/** Around all that shows, or changes, the texts of a tenant. */
export const ContentPlaceProvider = PlaceContext.Provider

/** The page's own ways. */
export function useContentPlace(): ContentPlace {
  const place = useContext(PlaceContext)
  if (place === undefined) throw new Error('outside of a ContentPlaceProvider')
  return place
}
