import type { ContentSchemas } from '@civigraph/client/rest'

/** A text as lists tell of it. */
export type ContentText = ContentSchemas['Node']
/** A text with its way from the root. */
export type PlacedText = ContentSchemas['PlacedNode']
export type TextAbove = ContentSchemas['PlaceAbove']

/** Where and when something was read, when that is not just now in the store. */
export interface Source {
  /** the moment that the service's own copy shows, while its store is away */
  readonly snapshotAt: string | undefined
  /** when this browser kept it, which has no network now */
  readonly keptAt: string | undefined
}

/** A page of what is directly below a text. */
export interface Below {
  readonly children: readonly ContentText[]
  /** cursor of the next page */
  readonly next: string | undefined
}

/** A text, what is above it, and a page of what is directly below. */
export interface ContentView extends Below, Source {
  readonly node: PlacedText
  /** from the root down, the nearest 99 */
  readonly ancestors: readonly TextAbove[]
}
