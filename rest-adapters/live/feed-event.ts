/** An event with its place in the feed. */
export interface Numbered {
  readonly seq: number
}

/** What happened to the expression of this id. */
export interface ExpressionEvent extends Numbered {
  readonly kind: string
  readonly id: string
}

/** What was between the last event and this seq can no longer be told. */
export interface LaggedEvent extends Numbered {
  readonly kind: 'lagged'
}
