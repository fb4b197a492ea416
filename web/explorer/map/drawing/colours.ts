const names = ['sea', 'land', 'coast', 'border', 'name', 'positive', 'neutral', 'negative', 'unknown', 'centre', 'count', 'focus'] as const

/** The colours of the map, which the style sheet defines for light and dark. */
export type Colours = Readonly<Record<(typeof names)[number], string>>

/** Returns the current colours in a form that canvas and WebGL accept. */
export function coloursOf(place: Element): Colours {
  const probe = document.createElement('span')
  place.append(probe)
  const resolved = names.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(resolved) as Colours
}
