import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { labelName } from '../appearance/images.ts'
import type { Colours } from '../appearance/theme.ts'
import type { World } from './world.ts'

/** A base map: sources and layers of a MapLibre style. */
export interface BaseMap {
  readonly sources: Readonly<Record<string, SourceSpecification>>
  /** layers below the expressions */
  readonly ground: readonly LayerSpecification[]
  /** layers of names, above areas */
  readonly names: readonly LayerSpecification[]
  readonly glyphs?: string | undefined
  readonly sprite?: unknown
  /** attribution of the map; undefined: the page's own */
  readonly credit?: string | undefined
}

/**
 * Returns the built-in base map: country outlines and names of towns.
 * @param countryName - returns the name for a country code in the page's language
 */
export function builtInBaseMap(world: World | undefined, colours: Colours, countryName: (letters: string) => string | undefined): BaseMap {
  return {
    sources: {
      // one source only: each source with areas or lines doubles the cost of a pixel, because its tiles are clipped
      ground: { type: 'geojson', data: groundOf(world), tolerance: 1.5 },
      names: { type: 'geojson', data: namesOf(world, countryName) },
    },
    ground: [
      // the sea is the page's background
      {
        id: 'land',
        type: 'fill',
        source: 'ground',
        filter: ['==', ['get', 'kind'], 'land'],
        paint: { 'fill-color': colours.land, 'fill-outline-color': colours.coast },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'ground',
        filter: ['==', ['get', 'kind'], 'border'],
        paint: { 'line-color': colours.border, 'line-width': 0.8 },
      },
    ],
    names: [
      {
        id: 'names',
        type: 'symbol',
        source: 'names',
        filter: ['>=', ['zoom'], ['get', 'from']],
        layout: {
          'icon-image': ['get', 'image'],
          'icon-anchor': ['get', 'anchor'],
          'icon-padding': 4,
          'symbol-sort-key': ['get', 'rank'],
        },
      },
    ],
  }
}

const noFeatures: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }

function groundOf(world: World | undefined): GeoJSON.FeatureCollection {
  if (world === undefined) return noFeatures
  const { land, borders } = world.outlines
  return {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry: land, properties: { kind: 'land' } },
      { type: 'Feature', geometry: borders, properties: { kind: 'border' } },
    ],
  }
}

/** Names a country where it is about 50 pixels wide, and larger towns earlier than smaller ones. */
function namesOf(world: World | undefined, countryName: (letters: string) => string | undefined): GeoJSON.FeatureCollection {
  if (world === undefined) return noFeatures
  const named = (lon: number, lat: number, properties: object): GeoJSON.Feature => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties: { ...properties },
  })
  const countries = world.outlines.countries.flatMap(({ number, middle: [lon = 0, lat = 0], size }) => {
    const text = countryName(world.letters.get(number) ?? '')
    if (text === undefined) return []
    const from = Math.max(0, Math.log(1285 / size) / Math.log(4))
    return [named(lon, lat, { image: labelName(text, 'country'), from, rank: -size, anchor: 'center' })]
  })
  const towns = world.towns.map(({ name, lon, lat, thousands }) => {
    const from = Math.max(3.3, 3 + Math.log(6000 / thousands) / Math.log(4))
    return named(lon, lat, { image: labelName(name, 'town'), from, rank: 100_000 - thousands, anchor: 'center' })
  })
  return { type: 'FeatureCollection', features: [...countries, ...towns] }
}
