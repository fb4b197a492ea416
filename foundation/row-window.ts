/** Which rows of an ordered list are to be read. */
export interface RowWindow<Place> {
  /** most rows */
  readonly limit: number
  /** against the order of the list, from its end */
  readonly isBackward?: boolean
  /** only rows that come behind this place, in the direction of reading */
  readonly beyond?: Place | undefined
}
