/** A text among its siblings: they stand by position, those of one position by id. */
export interface Placed {
  readonly id: string
  readonly position: number
}

/**
 * What has to be put where, one after the other, so that a text comes to stand at a place: first those that make room for it, from the end, so
 * that no two of them change their order meanwhile.
 * @param siblings - in their order, with the text or without   @param index - among the others
 */
export function movesFor(siblings: readonly Placed[], id: string, index: number): readonly Placed[] {
  const others = siblings.filter((each) => each.id !== id)
  let taken = (others[index - 1]?.position ?? -1) + 1
  const own = { id, position: taken }
  const making: Placed[] = []
  for (const each of others.slice(index)) {
    if (each.position > taken) break
    taken += 1
    making.unshift({ id: each.id, position: taken })
  }
  return [...making, own]
}
