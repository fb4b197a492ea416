/** A text among its siblings, which are sorted by position, then id. */
export interface PlacedText {
  readonly id: string
  readonly position: number
}

/**
 * Returns the moves that bring a text to a place: first the siblings that make room, from the end, so that their order stays the same
 * meanwhile.
 * @param siblings - in order, with or without the text
 * @param index - among the others
 */
export function movesFor(siblings: readonly PlacedText[], id: string, index: number): readonly PlacedText[] {
  const others = siblings.filter((each) => each.id !== id)
  let position = (others[index - 1]?.position ?? -1) + 1
  const own = { id, position }
  const making: PlacedText[] = []
  for (const each of others.slice(index)) {
    if (each.position > position) break
    position += 1
    making.unshift({ id: each.id, position })
  }
  return [...making, own]
}
