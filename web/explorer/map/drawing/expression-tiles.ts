import { geoJSONToTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { type Filters, noFilters } from '../../filters/address.ts'
import type { readMap } from '../../reading/read-map.ts'
import { labelOfSentiment } from '../../sentiment/sentiments.ts'
import { countOf, countsOf, idOf, type MapAnswer, tileOf } from '../../view/features.ts'
import { boxOfTiles, hasTile, type TileRange, tilesAroundTiles } from '../../view/tiles.ts'
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

/** The features of adjacent tiles, from one request. */
export interface CoveredTiles {
  readonly filters: Filters
  readonly tiles: TileRange
  readonly answer: Pick<MapAnswer, 'features'>
}

/** tiles that the map requests within this time are read by one request */
const gatherMs = 16

interface GatheredTiles {
  readonly names: string[]
  readonly read: Promise<(tile: string) => Promise<Pick<MapAnswer, 'features'>>>
}

/** Builds vector tiles (Mapbox Vector Tile 2.1) from answers of `/api/v1/map` for areas of several tiles. */
export class ExpressionTiles {
  readonly #read: typeof readMap
  readonly #countText: (count: number) => string
  readonly #gathered = new Map<string, GatheredTiles>()
  /** answers the tiles that it covers */
  covered: CoveredTiles | undefined

  /** @param countText - formats a count */
  constructor(read: typeof readMap, countText: (count: number) => string) {
    this.#read = read
    this.#countText = countText
  }

  /** Returns the tile of a URL. @param signal - ends the wait for it */
  async tile(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
    const { filters, tile } = readTilesAddress(address)
    const answer = this.#coveredBy(filters, tile) ?? (await this.#gather(filters, tile))
    signal.throwIfAborted()
    const [zoom = 0, column = 0, row = 0] = tile.split('/').map(Number)
    const features = answer.features.filter((feature) => tileOf(feature, zoom) === tile)
    return encodedTile({ features }, zoom, column, row, this.#countText)
  }

  #coveredBy(filters: Filters, tile: string): CoveredTiles['answer'] | undefined {
    const { covered } = this
    const isCovered = covered !== undefined && hasTile(covered.tiles, tile) && tilesAddress(covered.filters) === tilesAddress(filters)
    return isCovered ? covered.answer : undefined
  }

  async #gather(filters: Filters, tile: string): Promise<Pick<MapAnswer, 'features'>> {
    const [zoom] = tile.split('/')
    const name = `${zoom} ${tilesAddress(filters)}`
    const gathered = this.#gathered.get(name) ?? this.#begin(filters, Number(zoom), name)
    gathered.names.push(tile)
    return (await gathered.read)(tile)
  }

  #begin(filters: Filters, zoom: number, name: string): GatheredTiles {
    const names: string[] = []
    const { signal } = new AbortController()
    const read = new Promise<void>((resolve) => setTimeout(resolve, gatherMs)).then(() => {
      this.#gathered.delete(name)
      const tiles = tilesAroundTiles(names)
      const areaOf = (box: Parameters<typeof textOfBox>[0]) => this.#read(filters, { bbox: textOfBox(box), zoom }, signal)
      if (tiles === undefined) return (tile: string) => areaOf(boxOfTile(tile))
      const answer = areaOf(boxOfTiles(tiles))
      return () => answer
    })
    const gathered = { names, read }
    this.#gathered.set(name, gathered)
    return gathered
  }
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
