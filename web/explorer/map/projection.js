/** Web Mercator in world units: x and y from 0 (west, north) to 1 (east, south). See "Web Mercator projection" of EPSG:3857. */
export const tileSize = 256
export const northernmost = 85.051128
const radians = Math.PI / 180

export const xOf = (lon) => lon / 360 + 0.5
export function yOf(lat) {
  const sine = Math.sin(Math.max(-northernmost, Math.min(northernmost, lat)) * radians)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
export const lonOf = (x) => (x - 0.5) * 360
export const latOf = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / radians

/** A longitude brought into -180 to 180. */
export const wrapped = (lon) => ((((lon + 180) % 360) + 360) % 360) - 180

/** Which part of the world a map shows: its middle in world units, and a zoom of which each step doubles the scale. */
export class View {
  x = 0.5
  y = 0.42
  zoom = 1.5
  width = 1
  height = 1

  get scale() {
    return tileSize * 2 ** this.zoom
  }

  /** least zoom: the world is as high as the map at most */
  get least() {
    return Math.max(0, Math.log2(Math.max(this.height, this.width / 1.6) / tileSize))
  }

  toScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2]
  }

  toWorld(left, top) {
    return [(left - this.width / 2) / this.scale + this.x, (top - this.height / 2) / this.scale + this.y]
  }

  /** Keeps the north and south of the world at the edges, and the middle within the world. */
  settle(most = 18) {
    this.zoom = Math.max(this.least, Math.min(most, this.zoom))
    const half = Math.min(0.5, this.height / 2 / this.scale)
    this.y = Math.max(half, Math.min(1 - half, this.y))
    this.x = ((this.x % 1) + 1) % 1
  }

  /** Changes the zoom so that what is at a place of the screen stays there. */
  zoomAt(zoom, left = this.width / 2, top = this.height / 2) {
    const [x, y] = this.toWorld(left, top)
    this.zoom = zoom
    this.settle()
    this.x = x - (left - this.width / 2) / this.scale
    this.y = y - (top - this.height / 2) / this.scale
    this.settle()
  }

  /** Shows a box of the world. @param margin - pixels kept free around it */
  fit([west, south, east, north], margin = 48, most = 7) {
    const [left, right, top, bottom] = [xOf(west), xOf(east), yOf(north), yOf(south)]
    const across = Math.max(40, this.width - 2 * margin) / Math.max(right - left, 1e-6)
    const down = Math.max(40, this.height - 2 * margin) / Math.max(bottom - top, 1e-6)
    this.zoom = Math.min(most, Math.log2(Math.min(across, down) / tileSize))
    this.x = (left + right) / 2
    this.y = (top + bottom) / 2
    this.settle()
  }

  /** w,s,e,n as the service takes it: w > e crosses the antimeridian. */
  get box() {
    const [left, top] = this.toWorld(0, 0)
    const [right, bottom] = this.toWorld(this.width, this.height)
    const whole = right - left >= 1
    const round = (value) => Math.round(value * 1e4) / 1e4
    const south = Math.max(-90, round(latOf(bottom)))
    const north = Math.min(90, round(latOf(top)))
    return whole ? [-180, south, 180, north] : [round(wrapped(lonOf(left))), south, round(wrapped(lonOf(right))), north]
  }
}
