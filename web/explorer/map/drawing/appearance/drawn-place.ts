import { countOf, type MapFeature } from '../../../view/features.ts'

/** width of a cell in pixels: a 512-pixel tile has 8 cells in a row */
const cellPixels = 64
const cellBits = 3
/** margin of a ring for its shadow, in pixels */
const marginPixels = 3
const singleRadius = 9
const maxRadius = 24

/** Radius of a ring in pixels; with its shadow a ring is never larger than its cell. */
export const radiusOf = (count: number): number => (count === 1 ? singleRadius : Math.min(maxRadius, 10 + 2.2 * Math.log(count)))

/**
 * Returns where a feature is drawn: moved by the minimum that keeps its ring inside its own cell, so that rings do not overlap and none is
 * moved further than half a cell.
 * @param zoom - of the tile; a cluster has its own
 */
export function drawnPlace(feature: MapFeature, zoom: number): readonly [lon: number, lat: number] {
  const { properties, geometry } = feature
  const [lon, lat] = geometry.coordinates
  const [level = 0, column, row] = properties.cluster ? properties.cluster_id.split('/').map(Number) : [zoom + cellBits]
  const cells = 2 ** level
  const inset = (radiusOf(countOf(feature)) + marginPixels) / cellPixels
  const within = (at: number, cell = Math.min(cells - 1, Math.max(0, Math.floor(at)))): number =>
    Math.min(cell + 1 - inset, Math.max(cell + inset, at)) / cells
  const across = within(((lon + 180) / 360) * cells, column)
  const down = within((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * cells, row)
  return [across * 360 - 180, (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI]
}
