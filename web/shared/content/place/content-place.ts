import { createContext, useContext } from 'react'
import type { Library } from './library.ts'

/** The page's part of the shared content components: library, links and headings. */
export interface ContentPlace {
  /** must be stable per tenant */
  readonly library: Library
  /** prefix of stored drafts */
  readonly drafts: string
  /** heading level of a text's title on the page */
  readonly level: 1 | 2
  /** @param id - undefined for the root */
  addressOf(id: string | undefined): string
  go(id: string | undefined): void
}

const PlaceContext = createContext<ContentPlace | undefined>(undefined)

/** Wraps all components that show or change a tenant's texts. */
export const ContentPlaceProvider = PlaceContext.Provider

/** Returns the page's part. */
export function useContentPlace(): ContentPlace {
  const place = useContext(PlaceContext)
  if (place === undefined) throw new Error('useContentPlace must be called inside a ContentPlaceProvider')
  return place
}
