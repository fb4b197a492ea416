/** A text of the demonstration's magazine with those below it. */
export interface Article {
  /** unique in the magazine, and its part of an address */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** markdown */
  readonly body: string
  readonly inside?: readonly Article[]
}
