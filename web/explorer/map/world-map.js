/** The map: a view of the world with what citizens say on it. Knows nothing of where its features come from. */
import { byId } from '/pages/element.js'
import { followGestures } from './gestures.js'
import { countOf, drawMarkers, placeMarkers, withoutOverlaps } from './markers.js'
import { View, xOf, yOf } from './projection.js'
import { World } from './world.js'

const still = matchMedia('(prefers-reduced-motion: reduce)')
const pulseMs = 1800
const glideMs = 350

/** Events: `view` (it shows another part of the world), `choice` (detail.feature: what was chosen, or undefined). */
export class WorldMap extends EventTarget {
  view = new View()
  world = new World(() => this.draw())
  #canvas = byId('map')
  #context = this.#canvas.getContext('2d')
  #features = []
  #placed = []
  #chosen
  #pulses = []
  #frame
  #colours

  async start() {
    const resized = new ResizeObserver(() => this.#measure())
    resized.observe(this.#canvas)
    this.#measure()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.#colours = undefined
      this.draw()
    })
    followGestures(this.#canvas, {
      pan: (right, down) => {
        this.view.x -= right / this.view.scale
        this.view.y -= down / this.view.scale
        this.#moved()
      },
      zoom: (by, left, top) => {
        this.view.zoomAt(this.view.zoom + by, left, top)
        this.#moved()
      },
      choose: (left, top) => this.choose(this.#at(left, top)),
      leave: () => this.choose(undefined),
      hover: (left, top) => {
        this.#canvas.style.cursor = this.#at(left, top) === undefined ? 'grab' : 'pointer'
      },
    })
    byId('zoom-in').addEventListener('click', () => this.#glide({ zoom: this.view.zoom + 1 }))
    byId('zoom-out').addEventListener('click', () => this.#glide({ zoom: this.view.zoom - 1 }))
    await this.world.load()
  }

  /** @returns the features as they are shown: those that would cover each other are one */
  show(features) {
    this.#features = withoutOverlaps(features, this.view)
    this.draw()
    return this.#features
  }

  choose(feature) {
    this.#chosen = feature?.id
    this.draw()
    this.dispatchEvent(new CustomEvent('choice', { detail: { feature } }))
  }

  fit(box) {
    this.view.fit(box)
    this.#moved()
  }

  /** Brings a place into the middle, at a zoom. */
  goTo([lon, lat], zoom) {
    this.#glide({ x: xOf(lon), y: yOf(lat), zoom: Math.max(zoom, this.view.least) })
  }

  /** Where something has just been said. */
  pulse(lon, lat, sentiment) {
    if (still.matches || document.hidden) return
    this.#pulses.push({ x: xOf(lon), y: yOf(lat), sentiment, from: performance.now() })
    this.#pulses.splice(0, this.#pulses.length - 20)
    this.draw()
  }

  draw() {
    this.#frame ??= requestAnimationFrame((now) => {
      this.#frame = undefined
      this.#paint(now)
      if (this.#pulses.length > 0) this.draw()
    })
  }

  countryAt(lon, lat) {
    return this.world.countryAt(this.#context, lon, lat)
  }

  #paint(now) {
    this.#colours ??= coloursOf(this.#canvas)
    const context = this.#context
    const ratio = devicePixelRatio
    this.world.draw(context, this.view, this.#colours, ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.#placed = placeMarkers(this.#features, this.view)
    drawMarkers(context, this.#placed, this.#colours, this.#chosen)
    this.#pulses = this.#pulses.filter(({ from }) => now - from < pulseMs)
    for (const { x, y, sentiment, from } of this.#pulses) {
      const part = Math.max(0, now - from) / pulseMs
      const [left, top] = this.view.toScreen(x, y)
      context.beginPath()
      context.arc(left, top, 6 + 34 * part, 0, 2 * Math.PI)
      context.lineWidth = 3
      context.globalAlpha = 1 - part
      context.strokeStyle = this.#colours[sentiment]
      context.stroke()
      context.globalAlpha = 1
    }
  }

  /** The topmost marker at a place of the screen; a finger needs not be exact. */
  #at(left, top) {
    const near = this.#placed.findLast((each) => Math.hypot(each.left - left, each.top - top) <= Math.max(each.radius, 14))
    return near?.feature
  }

  #measure() {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    if (width === 0 || height === 0) return
    this.#canvas.width = Math.round(width * devicePixelRatio)
    this.#canvas.height = Math.round(height * devicePixelRatio)
    Object.assign(this.view, { width, height })
    this.#moved()
  }

  #moved() {
    this.view.settle()
    this.draw()
    this.dispatchEvent(new CustomEvent('view'))
  }

  #glide(target) {
    const { x, y, zoom } = this.view
    const to = { x, y, zoom, ...target }
    const from = performance.now()
    const step = (now) => {
      const part = still.matches ? 1 : Math.min(1, Math.max(0, now - from) / glideMs)
      const eased = 1 - (1 - part) ** 3
      Object.assign(this.view, { x: x + (to.x - x) * eased, y: y + (to.y - y) * eased, zoom: zoom + (to.zoom - zoom) * eased })
      this.#moved()
      if (part < 1) requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  }
}

/** The canvas takes its colours from the style sheet, which knows light and dark. */
function coloursOf(canvas) {
  const style = getComputedStyle(canvas)
  const names = ['sea', 'land', 'coast', 'border', 'name', 'positive', 'neutral', 'negative', 'unknown', 'centre', 'count', 'focus']
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]))
}

/** The box around what is said; undefined for nothing. The few that are far off, one in fifty on each side, do not make it larger. */
export function boxOf(features) {
  if (features.length === 0) return undefined
  const total = features.reduce((sum, feature) => sum + countOf(feature), 0)
  const edges = (axis) => {
    const sorted = features.toSorted((a, b) => a.geometry.coordinates[axis] - b.geometry.coordinates[axis])
    const reach = (list) => {
      let sum = 0
      for (const feature of list) {
        sum += countOf(feature)
        if (sum > total / 50) return feature.geometry.coordinates[axis]
      }
    }
    return [reach(sorted), reach(sorted.toReversed())]
  }
  const [[west, east], [south, north]] = [edges(0), edges(1)]
  return [west, south, east, north]
}
