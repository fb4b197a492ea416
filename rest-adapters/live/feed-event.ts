/** An event with its position in the feed. */
export interface NumberedEvent {
  readonly seq: number
}

/** An event of the expression with this id. */
export interface ExpressionEvent extends NumberedEvent {
  readonly kind: string
  readonly id: string
}

/** Events between the last one and this seq are no longer available. */
export interface LaggedEvent extends NumberedEvent {
  readonly kind: 'lagged'
}
