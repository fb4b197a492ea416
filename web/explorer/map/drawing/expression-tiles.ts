import { geoJSONToTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { type Filters, noFilters } from '../../filters/address.ts'
import { readMap } from '../../reading/read-map.ts'
import { labelOfSentiment } from '../../sentiment/sentiments.ts'
import { countOf, countsOf, idOf, type MapAnswer } from '../../view/features.ts'
import { boxOfTile, textOfBox } from '../../view/view.ts'
import { drawnPlace } from './appearance/drawn-place.ts'
import { ringName, signName } from './appearance/images.ts'

/** Expression tiles use a protocol of their own: each is built from `/api/v1/map` of its area. */
export const scheme = 'civigraph'
export const layerOfTiles = 'expressions'
/** maximum zoom of the service */
export const maxTileZoom = 22
const extent = 4096

/** Returns the URL template of all tiles for the filters. */
export const tilesAddress = (filters: Filters): string => `${scheme}://{z}/{x}/{y}?${new URLSearchParams(Object.entries(filters))}`

/** Returns the filters and the tile of a tile URL. @throws {Error} for any other URL */
export function readTilesAddress(address: string): { readonly filters: Filters; readonly tile: string } {
  // linear: anchored, and its alternatives are exclusive
  const [, tile, query] = new RegExp(`^${scheme}://(\\d+/\\d+/\\d+)\\?(.*)$`).exec(address) ?? []
  if (tile === undefined) throw new Error(`${address} is not the address of a tile`)
  return { tile, filters: { ...noFilters, ...Object.fromEntries(new URLSearchParams(query)) } }
}

/** Returns the vector tile (Mapbox Vector Tile 2.1) for a tile URL. @param countText - formats a count */
export async function expressionTile(address: string, countText: (count: number) => string, signal: AbortSignal): Promise<ArrayBuffer> {
  const { filters, tile } = readTilesAddress(address)
  const [zoom = 0, column = 0, row = 0] = tile.split('/').map(Number)
  const answer = await readMap(filters, { bbox: textOfBox(boxOfTile(tile)), zoom }, signal)
  return encodedTile(answer, zoom, column, row, countText)
}

export function encodedTile(
  { features }: Pick<MapAnswer, 'features'>,
  zoom: number,
  column: number,
  row: number,
  countText: (count: number) => string,
): ArrayBuffer {
  const drawn = features.map((feature): GeoJSON.Feature => {
    const { properties } = feature
    const count = countOf(feature)
    const image = properties.cluster
      ? ringName(countsOf(feature), count, countText(count))
      : signName(labelOfSentiment(properties.sentiment))
    return {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [...drawnPlace(feature, zoom)] },
      // the selection handler reads the whole feature from here
      properties: { id: idOf(feature), count, image, feature: JSON.stringify(feature) },
    }
  })
  const made = geoJSONToTile({ type: 'FeatureCollection', features: drawn }, zoom, column, row, { extent, buffer: 64 })
  const bytes = fromGeojsonVt({ [layerOfTiles]: made }, { version: 2, extent })
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}
