const names = ['sea', 'land', 'coast', 'border', 'name', 'positive', 'neutral', 'negative', 'unknown', 'centre', 'count', 'focus'] as const

/** The colours of the map, which the style sheet knows for light and dark. */
export type Colours = Readonly<Record<(typeof names)[number], string>>

/** As they are now, in a form that canvases and WebGL take. */
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
