/** An event with its place in the feed. */
export interface Numbered {
  readonly seq: number
}

/** What was between the last event and this seq can no longer be told. */
export interface LaggedEvent extends Numbered {
  readonly kind: 'lagged'
}
