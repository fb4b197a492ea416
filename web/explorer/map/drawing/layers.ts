import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import type { LayerChoice } from '../../filters/address.ts'
import type { Colours } from './appearance/theme.ts'
import type { BaseMap } from './base-map/built-in-base-map.ts'
import { layerOfTiles, maxTileZoom } from './expression-tiles.ts'

export const empty: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }

const visible = (is: boolean) => ({ visibility: is ? 'visible' : 'none' }) as const
const tiled = { source: 'expressions', 'source-layer': layerOfTiles } as const

/** Map layers of each layer choice. */
export const layersOf: Readonly<Record<LayerChoice, readonly string[]>> = {
  rings: ['rings'],
  heat: ['heat'],
  districts: ['district areas', 'district lines'],
}

/** Returns the style of the map: base map, districts, heat map, names, and expressions on top. */
export function styleOf(base: BaseMap, tiles: string, shown: LayerChoice, colours: Colours): StyleSpecification {
  const sources: Record<string, SourceSpecification> = {
    ...base.sources,
    expressions: { type: 'vector', tiles: [tiles], maxzoom: maxTileZoom },
    districts: { type: 'geojson', data: empty, promoteId: 'code' },
    chosen: { type: 'geojson', data: empty },
  }
  return {
    version: 8,
    sources,
    layers: [...base.ground, ...areas(shown, colours), ...base.names, ...points(shown, colours)],
    ...(base.glyphs !== undefined && { glyphs: base.glyphs }),
    ...(base.sprite !== undefined && { sprite: base.sprite as NonNullable<StyleSpecification['sprite']> }),
  }
}

function areas(shown: LayerChoice, colours: Colours): LayerSpecification[] {
  return [
    {
      id: 'district areas',
      type: 'fill',
      source: 'districts',
      layout: visible(shown === 'districts'),
      paint: {
        // -1: all negative, 1: all positive; no colour without expressions
        'fill-color': [
          'case',
          ['==', ['coalesce', ['get', 'expressions'], 0], 0],
          'rgba(0, 0, 0, 0)',
          ['interpolate', ['linear'], ['coalesce', ['get', 'score'], 0], -1, colours.negative, 0, colours.neutral, 1, colours.positive],
        ],
        'fill-opacity': 0.65,
      },
    },
    {
      id: 'district lines',
      type: 'line',
      source: 'districts',
      layout: visible(shown === 'districts'),
      paint: { 'line-color': colours.name, 'line-width': 1 },
    },
    {
      id: 'heat',
      type: 'heatmap',
      ...tiled,
      layout: visible(shown === 'heat'),
      paint: {
        'heatmap-weight': ['interpolate', ['linear'], ['ln', ['+', 1, ['get', 'count']]], 0, 0.15, 8, 1],
        'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 0, 18, 6, 36, 12, 48],
        'heatmap-opacity': 0.8,
      },
    },
  ]
}

function points(shown: LayerChoice, colours: Colours): LayerSpecification[] {
  return [
    {
      id: 'rings',
      type: 'symbol',
      ...tiled,
      layout: {
        ...visible(shown === 'rings'),
        'icon-image': ['get', 'image'],
        // cells shrink below zoom 0
        'icon-size': ['interpolate', ['exponential', 2], ['zoom'], -2, 0.25, 0, 1],
        // names make room for rings
        'icon-allow-overlap': true,
        // rings do not overlap, so their order does not matter and a tile is drawn at once
        'symbol-z-order': 'source',
      },
    },
    {
      id: 'chosen',
      type: 'circle',
      source: 'chosen',
      paint: {
        'circle-radius': ['get', 'radius'],
        'circle-color': 'rgba(0, 0, 0, 0)',
        'circle-stroke-color': colours.focus,
        'circle-stroke-width': 3,
      },
    },
  ]
}
