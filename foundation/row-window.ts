/** A range of rows of an ordered list. */
export interface RowWindow<Place> {
  /** maximum number of rows */
  readonly limit: number
  /** read from the end of the list */
  readonly isBackward?: boolean
  /** only rows beyond this position, in reading direction */
  readonly beyond?: Place | undefined
}
