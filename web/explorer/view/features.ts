import { isSentiment, type SentimentCounts, withUnknown } from '../sentiment/sentiments.ts'
import { tileOfPlace } from './tiles.ts'
import type { Box } from './view.ts'

/** A cluster of `/api/v1/map`: several nearby expressions. */
export interface ClusterProperties {
  readonly cluster: true
  /** the tile that contains them all: zoom/column/row */
  readonly cluster_id: string
  readonly point_count: number
  readonly expansion_zoom: number
  readonly sentiment: { readonly positive: number; readonly neutral: number; readonly negative: number }
  readonly domains: Readonly<Record<string, number>>
}

/** One expression at its place. */
export interface PointProperties {
  readonly cluster: false
  readonly id: string
  readonly domain: string | null
  readonly sub_domain: string | null
  readonly sentiment: string | null
  readonly lang: string
  readonly created_at: string
  readonly votes: { readonly agree: number; readonly disagree: number; readonly pass: number }
}

export interface MapFeature {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'Point'; readonly coordinates: readonly [lon: number, lat: number] }
  readonly properties: ClusterProperties | PointProperties
}

export interface MapAnswer {
  readonly features: readonly MapFeature[]
  readonly total: number
  readonly unmapped: number
}

/** the tile, or the id of the expression */
export const idOf = ({ properties }: MapFeature): string => (properties.cluster ? properties.cluster_id : properties.id)

export const countOf = ({ properties }: MapFeature): number => (properties.cluster ? properties.point_count : 1)

export function countsOf({ properties }: MapFeature): SentimentCounts {
  if (properties.cluster) return withUnknown(properties.sentiment, properties.point_count)
  const { sentiment } = properties
  return withUnknown({ positive: 0, neutral: 0, negative: 0, ...(isSentiment(sentiment) ? { [sentiment]: 1 } : {}) }, 1)
}

/** Returns the tile of a feature, `zoom/column/row`: a cluster belongs to that of its cell. */
export function tileOf({ properties, geometry }: MapFeature, zoom: number): string {
  const [level = 0, ...cell] = properties.cluster ? properties.cluster_id.split('/').map(Number) : []
  const place = properties.cluster ? cell.map((each) => each / 2 ** (level - zoom)) : tileOfPlace(geometry.coordinates, zoom)
  return [zoom, ...place.map(Math.floor)].join('/')
}

/** Returns the features whose place is in the box. */
export const featuresIn = (features: readonly MapFeature[], { west, south, east, north }: Box): readonly MapFeature[] =>
  features.filter(({ geometry: { coordinates } }) => {
    const [lon, lat] = coordinates
    return lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east)
  })

/** Returns the box around the features without the outermost 2 % on each side; undefined without features. */
export function boxAround(features: readonly MapFeature[]): Box | undefined {
  const total = features.reduce((sum, feature) => sum + countOf(feature), 0)
  const edges = (axis: 0 | 1): readonly [number, number] | undefined => {
    const sorted = features.toSorted((a, b) => a.geometry.coordinates[axis] - b.geometry.coordinates[axis])
    const reach = (list: readonly MapFeature[]): number | undefined => {
      let sum = 0
      return list.find((feature) => {
        sum += countOf(feature)
        return sum > total / 50
      })?.geometry.coordinates[axis]
    }
    const [first, last] = [reach(sorted), reach(sorted.toReversed())]
    return first === undefined || last === undefined ? undefined : [first, last]
  }
  const [across, up] = [edges(0), edges(1)]
  return across && up && { west: across[0], south: up[0], east: across[1], north: up[1] }
}
