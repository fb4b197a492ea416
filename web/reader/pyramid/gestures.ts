/** What a pointer, touch or wheel does to the picture. Positions and distances are in pixels from the start edge and the top. */
export interface PictureActions {
  /** moves what is shown along with the pointer */
  pan(start: number, top: number): void
  zoom(factor: number, at: { readonly start: number; readonly top: number }): void
  /** whether the picture can scroll by this distance; the page scrolls otherwise */
  canPan(start: number, top: number): boolean
  isRightToLeft(): boolean
}

/** distance after which a press is a drag and not a click */
const dragStart = 6
/** pixels of a line or page of a wheel that reports these */
const wheelUnits = [1, 16, 400] as const

/**
 * Follows pointers and the wheel: dragging moves, two fingers or Ctrl and the wheel zoom, the wheel scrolls.
 * @returns a function that stops it
 */
export function followGestures(place: HTMLElement, actions: PictureActions): () => void {
  const stopping = new AbortController()
  const options = { signal: stopping.signal } as const
  const pointers = new Map<number, { readonly x: number; readonly y: number }>()
  let pressed: { readonly x: number; readonly y: number } | undefined
  let isDragging = false

  const sign = (): 1 | -1 => (actions.isRightToLeft() ? -1 : 1)
  const positionOf = (x: number, y: number) => {
    const { left, right, top } = place.getBoundingClientRect()
    return { start: actions.isRightToLeft() ? right - x : x - left, top: y - top }
  }
  const spread = (): { readonly x: number; readonly y: number; readonly distance: number } => {
    const [one = { x: 0, y: 0 }, other = one] = [...pointers.values()]
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, distance: Math.hypot(one.x - other.x, one.y - other.y) }
  }

  place.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      if (pointers.size >= 2) return
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      pressed = { x: event.clientX, y: event.clientY }
      if (pointers.size === 1) isDragging = false
    },
    options,
  )
  place.addEventListener(
    'pointermove',
    (event) => {
      // a mouse that was released elsewhere
      if (event.pointerType === 'mouse' && event.buttons === 0) pointers.delete(event.pointerId)
      if (!pointers.has(event.pointerId) || pressed === undefined) return
      const before = spread()
      const isTwo = pointers.size === 2
      if (!isDragging && !isTwo && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < dragStart) return
      isDragging = true
      // also the block under a finger may leave the picture meanwhile
      if (!place.hasPointerCapture(event.pointerId)) place.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      const now = spread()
      actions.pan((now.x - before.x) * sign(), now.y - before.y)
      if (isTwo && before.distance > 0 && now.distance > 0) actions.zoom(now.distance / before.distance, positionOf(now.x, now.y))
    },
    options,
  )
  for (const name of ['pointerup', 'pointercancel'] as const)
    place.addEventListener(name, (event) => void pointers.delete(event.pointerId), options)
  // the click at the end of a drag selects nothing
  place.addEventListener(
    'click',
    (event) => {
      if (!isDragging) return
      isDragging = false
      event.preventDefault()
      event.stopPropagation()
    },
    { ...options, capture: true },
  )
  place.addEventListener('dragstart', (event) => event.preventDefault(), options)
  place.addEventListener(
    'wheel',
    (event) => {
      const factor = wheelUnits[event.deltaMode] ?? 1
      const [dx, dy] = [event.deltaX * factor, event.deltaY * factor]
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault()
        // a notch of a wheel is 100 pixels, a pinch on a touchpad reports a few at a time
        actions.zoom(Math.exp(-Math.max(-60, Math.min(60, dy)) / 150), positionOf(event.clientX, event.clientY))
        return
      }
      const [across, down] = event.shiftKey && dx === 0 ? [dy, 0] : [dx, dy]
      if (!actions.canPan(across * sign(), down)) return
      event.preventDefault()
      actions.pan(-across * sign(), -down)
    },
    { ...options, passive: false },
  )
  return () => stopping.abort()
}
