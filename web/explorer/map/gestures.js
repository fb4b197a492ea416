/** Moving a map: drag, wheel, pinch, double click, arrow keys, plus and minus. Turning it into a new view is the map's. */

const clickReach = 6
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{
 *   pan: (right: number, down: number) => void, zoom: (by: number, left?: number, top?: number) => void,
 *   choose: (left: number, top: number) => void, leave: () => void, hover: (left: number, top: number) => void
 * }} map - pixels of the canvas; zoom in steps that double the scale
 */
export function followGestures(canvas, map) {
  const fingers = new Map()
  let travelled = 0
  const placeOf = (event) => {
    const { left, top } = canvas.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  const spread = () => {
    const [[ax, ay], [bx, by]] = fingers.values()
    return { distance: Math.hypot(ax - bx, ay - by), left: (ax + bx) / 2, top: (ay + by) / 2 }
  }

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    canvas.setPointerCapture(event.pointerId)
    fingers.set(event.pointerId, placeOf(event))
    travelled = fingers.size > 1 ? clickReach : 0
  })
  canvas.addEventListener('pointermove', (event) => {
    const [left, top] = placeOf(event)
    const before = fingers.get(event.pointerId)
    if (before === undefined) {
      map.hover(left, top)
      return
    }
    const pinch = fingers.size === 2 ? spread() : undefined
    fingers.set(event.pointerId, [left, top])
    travelled += Math.hypot(left - before[0], top - before[1])
    if (pinch === undefined) {
      if (travelled >= clickReach) map.pan(left - before[0], top - before[1])
      return
    }
    const now = spread()
    map.pan(now.left - pinch.left, now.top - pinch.top)
    map.zoom(Math.log2(now.distance / pinch.distance), now.left, now.top)
  })
  const lift = (event) => {
    const place = fingers.get(event.pointerId)
    fingers.delete(event.pointerId)
    if (event.type === 'pointerup' && place !== undefined && travelled < clickReach) map.choose(...place)
  }
  canvas.addEventListener('pointerup', lift)
  canvas.addEventListener('pointercancel', lift)
  canvas.addEventListener('dblclick', (event) => map.zoom(1, ...placeOf(event)))
  canvas.addEventListener(
    'wheel',
    (event) => {
      // The page scrolls until the map is in use: a wheel over it must not be a trap.
      if (document.activeElement !== canvas && !event.ctrlKey) return
      event.preventDefault()
      map.zoom(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002) * (event.deltaMode === 1 ? 16 : 1), ...placeOf(event))
    },
    { passive: false },
  )
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? 240 : 80
    if (event.key in arrows) map.pan(-arrows[event.key][0] * step, -arrows[event.key][1] * step)
    else if (event.key === '+' || event.key === '=') map.zoom(1)
    else if (event.key === '-' || event.key === '_') map.zoom(-1)
    else if (event.key === 'Enter' || event.key === ' ') map.choose(canvas.clientWidth / 2, canvas.clientHeight / 2)
    else if (event.key === 'Escape') map.leave()
    else return
    event.preventDefault()
  })
}
