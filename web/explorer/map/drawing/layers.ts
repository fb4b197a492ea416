import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import type { LayerChoice } from '../layer-choice.ts'
import type { Base } from './base-map/own-base.ts'
import type { Colours } from './colours.ts'
import { deepestTile, layerOfTiles } from './expression-tiles.ts'

export const empty: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }

const visible = (is: boolean) => ({ visibility: is ? 'visible' : 'none' }) as const
const tiled = { source: 'expressions', 'source-layer': layerOfTiles } as const

/** Which layers belong to which choice. */
export const layersOf: Readonly<Record<LayerChoice, readonly string[]>> = {
  rings: ['rings'],
  heat: ['heat'],
  districts: ['district areas', 'district lines'],
}

/** The whole map: what lies under it, districts, heat, names, and what citizens say on top. */
export function styleOf(base: Base, tiles: string, shown: LayerChoice, colours: Colours): StyleSpecification {
  const sources: Record<string, SourceSpecification> = {
    ...base.sources,
    expressions: { type: 'vector', tiles: [tiles], maxzoom: deepestTile },
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
        // -1: all negative, 1: all positive; no colour where nothing is said
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
        // further out than the first tile, cells become smaller, too
        'icon-size': ['interpolate', ['exponential', 2], ['zoom'], -2, 0.25, 0, 1],
        // names make room for them
        'icon-allow-overlap': true,
        // none covers another, so no order is kept: all of a tile are drawn at once
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
