import type { ContentSchemas } from '@civigraph/client/rest'

/** A text in a list. */
export type ContentText = ContentSchemas['Node']
/** A text with its path from the root. */
export type PlacedText = ContentSchemas['PlacedNode']
export type TextAncestor = ContentSchemas['PlaceAbove']

/** Source and age of content that is not current. */
export interface Source {
  /** time of the service's snapshot, while its database is unavailable */
  readonly snapshotAt: string | undefined
  /** time at which this browser cached it, while offline */
  readonly savedAt: string | undefined
}

/** A page of children. */
export interface ChildPage {
  readonly children: readonly ContentText[]
  /** cursor of the next page */
  readonly next: string | undefined
}

/** A text, its ancestors, and a page of its children. */
export interface ContentView extends ChildPage, Source {
  readonly node: PlacedText
  /** from the root, at most the nearest 99 */
  readonly ancestors: readonly TextAncestor[]
}
