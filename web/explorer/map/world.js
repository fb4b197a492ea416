/** The outlines of the countries and the names of places, drawn under what citizens say. */

import { countryText } from '../words.js'
import { xOf, yOf } from './projection.js'

const folder = '/pages/exploration'
const fineFrom = 3.2

async function loaded(path) {
  const response = await fetch(`${folder}/${path}`)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response
}

/** @returns paths in world units: the land, the borders between countries, and each country by itself with where its name goes */
function pathsOf(atlas, codes) {
  const { feature, mesh } = globalThis.topojson
  const { countries, land } = atlas.objects
  const each = feature(atlas, countries).features.flatMap(({ id, geometry }) => {
    if (geometry === null) return []
    const rings = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    return [{ code: codes[id], path: pathOf(rings.flat(), true), ...labelPlace(rings) }]
  })
  const polygons = feature(atlas, land).features.flatMap(({ geometry }) => geometry.coordinates.flat())
  return {
    land: pathOf(polygons, true),
    borders: pathOf(mesh(atlas, countries, (a, b) => a !== b).coordinates, false),
    countries: each.toSorted((a, b) => b.size - a.size),
  }
}

/**
 * Lines as they are walked: one that crosses the antimeridian goes on beyond 180 degrees, and one that goes around a pole is closed along
 * it, so that each can be drawn flat.
 */
function unrolled(line) {
  const points = []
  let turn = 0
  for (const [index, [lon, lat]] of line.entries()) {
    const step = index === 0 ? 0 : lon - line[index - 1][0]
    if (step > 180) turn -= 360
    else if (step < -180) turn += 360
    points.push([lon + turn, lat])
  }
  const [first, last] = [points[0], points.at(-1)]
  if (Math.abs(last[0] - first[0]) > 180) {
    const pole = last[1] < 0 ? -90 : 90
    points.push([last[0], pole], [first[0], pole])
  }
  return points
}

function pathOf(lines, closed) {
  const path = new Path2D()
  for (const line of lines) {
    for (const [index, [lon, lat]] of unrolled(line).entries()) {
      if (index === 0) path.moveTo(xOf(lon), yOf(lat))
      else path.lineTo(xOf(lon), yOf(lat))
    }
    if (closed) path.closePath()
  }
  return path
}

/** The middle of a country's largest part, and how large that is: large countries are named first. */
function labelPlace(polygons) {
  let best = { size: 0, x: 0, y: 0 }
  for (const outline of polygons.map(([ring]) => unrolled(ring))) {
    let [area, x, y] = [0, 0, 0]
    for (let index = 1; index < outline.length; index += 1) {
      const [ax, ay, bx, by] = [xOf(outline[index - 1][0]), yOf(outline[index - 1][1]), xOf(outline[index][0]), yOf(outline[index][1])]
      const cross = ax * by - bx * ay
      area += cross
      x += (ax + bx) * cross
      y += (ay + by) * cross
    }
    if (Math.abs(area / 2) > best.size) best = { size: Math.abs(area / 2), x: x / (3 * area), y: y / (3 * area) }
  }
  return best
}

export class World {
  #coarse
  #fine
  #codes
  #places = []
  #onReady

  constructor(onReady) {
    this.#onReady = onReady
  }

  async load() {
    const [atlas, codes] = await Promise.all([loaded('world-110m.json'), loaded('country-codes.json')])
    this.#codes = await codes.json()
    this.#coarse = pathsOf(await atlas.json(), this.#codes)
    this.#onReady()
    const [places, fine] = await Promise.all([loaded('map/places.tsv'), loaded('world-50m.json')])
    this.#places = placesOf(await places.text())
    this.#fine = pathsOf(await fine.json(), this.#codes)
    this.#onReady()
  }

  /** @param colours - sea, land, border, name */
  draw(context, view, colours, ratio) {
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = colours.sea
    context.fillRect(0, 0, view.width, view.height)
    const paths = view.zoom >= fineFrom ? (this.#fine ?? this.#coarse) : this.#coarse
    if (paths === undefined) return
    for (const shift of [...shifts(view), shifts(view)[0] - 1]) {
      const [left, top] = view.toScreen(shift, 0)
      const scale = view.scale
      context.setTransform(scale * ratio, 0, 0, scale * ratio, left * ratio, top * ratio)
      context.fillStyle = colours.land
      context.fill(paths.land, 'evenodd')
      context.lineWidth = 0.8 / scale
      context.strokeStyle = colours.border
      context.stroke(paths.borders)
      context.lineWidth = 0.6 / scale
      context.strokeStyle = colours.coast
      context.stroke(paths.land)
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.#name(context, view, colours, paths)
  }

  /** Names that do not touch each other, of countries and, close by, of towns. */
  #name(context, view, colours, { countries }) {
    const taken = []
    const place = (text, x, y, dot) => {
      const width = context.measureText(text).width
      for (const shift of shifts(view)) {
        const [left, top] = view.toScreen(x + shift, y)
        const box = dot ? [left + 4, top - 8, left + width + 10, top + 8] : [left - width / 2 - 4, top - 8, left + width / 2 + 4, top + 8]
        const outside = box[2] < 0 || box[0] > view.width || box[3] < 0 || box[1] > view.height
        if (outside || taken.some(([a, b, c, d]) => box[0] < c && box[2] > a && box[1] < d && box[3] > b)) continue
        taken.push(box)
        context.strokeText(text, dot ? left + 6 : left, top)
        context.fillText(text, dot ? left + 6 : left, top)
        if (dot) context.fillRect(left - 1.5, top - 1.5, 3, 3)
      }
    }
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = colours.land
    context.direction = 'ltr'
    context.textAlign = 'center'
    context.fillStyle = colours.name
    context.font = '600 11px system-ui, sans-serif'
    for (const { code, x, y, size } of countries) {
      if (size * view.scale ** 2 < 2600) break
      const text = countryText(code)
      if (text !== undefined) place(text, x, y, false)
    }
    if (view.zoom < 4.3) return
    context.textAlign = 'left'
    context.font = '11px system-ui, sans-serif'
    const fewest = 6000 / 4 ** (view.zoom - 4)
    for (const { name, x, y, thousands } of this.#places) {
      if (thousands < fewest) break
      place(name, x, y, true)
    }
  }

  /** The country that a place is in, in the language of the page; undefined at sea. */
  countryAt(context, lon, lat) {
    const found = (this.#fine ?? this.#coarse)?.countries.find(({ path }) => isInside(context, path, xOf(lon), yOf(lat)))
    return found && countryText(found.code)
  }

  /** The largest town within so many pixels of a place. */
  townNear(view, lon, lat, pixels = 60) {
    const [x, y, reach] = [xOf(lon), yOf(lat), pixels / view.scale]
    return this.#places.find((town) => Math.abs(town.x - x) < reach && Math.abs(town.y - y) < reach)?.name
  }
}

/** A path is tested in pixels: its own units are too small for the canvas to tell apart. */
function isInside(context, path, x, y) {
  context.save()
  context.setTransform(1e4, 0, 0, 1e4, 0, 0)
  const inside = context.isPointInPath(path, x * 1e4, y * 1e4, 'evenodd')
  context.restore()
  return inside
}

function placesOf(text) {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name, lon, lat, thousands] = line.split('\t')
      return { name, x: xOf(Number(lon)), y: yOf(Number(lat)), thousands: Number(thousands) }
    })
}

/** Which copies of the world a view shows, side by side. */
export function shifts(view) {
  const [left] = view.toWorld(0, 0)
  const [right] = view.toWorld(view.width, 0)
  const all = []
  for (let shift = Math.floor(left); shift <= Math.floor(right); shift += 1) all.push(shift)
  return all
}
