import 'maplibre-gl/dist/maplibre-gl.css'
import { addProtocol, type GeoJSONSource, type LngLatLike, Map as MapLibre, type MapMouseEvent, Marker } from 'maplibre-gl'
import type { Filters, LayerChoice } from '../../filters/address.ts'
import { readMap } from '../../reading/read-map.ts'
import type { Sentiment } from '../../sentiment/sentiments.ts'
import type { ExplorerFacts } from '../../view/facts.ts'
import { countOf, type MapFeature } from '../../view/features.ts'
import { type Box, boxOfEdges, wholeWorld } from '../../view/view.ts'
import { drawnPlace, radiusOf } from './appearance/drawn-place.ts'
import { drawImage, pixelRatio } from './appearance/images.ts'
import { type Colours, coloursOf } from './appearance/theme.ts'
import { type BaseMap, builtInBaseMap } from './base-map/built-in-base-map.ts'
import type { World } from './base-map/world.ts'
import { type CoveredTiles, ExpressionTiles, maxTileZoom, scheme, tilesAddress } from './expression-tiles.ts'
import { empty, layersOf, styleOf } from './layers.ts'
import { drawWithFewPixels, isDrawnBySoftware } from './software-drawing.ts'

const pulseMs = 1800
/** each is an element that moves with the map */
const maxPulses = 8
const retryMs = 5000
/** touch tolerance in pixels */
const reach = 8
const deepestZoom = 17

export interface DrawnMapOptions {
  readonly container: HTMLElement
  /** text for screen readers */
  readonly label: string
  readonly tiles: ExplorerFacts['tiles']
  readonly countText: (count: number) => string
  readonly countryName: (letters: string) => string | undefined
  /** the visible area changed */
  readonly onView: (box: Box, zoom: number) => void
  /** the selection changed: a cluster or expression, a district code, or nothing */
  readonly onChoice: (chosen: MapFeature | string | undefined) => void
  /** attribution of the operator's map; null: it is unavailable */
  readonly onCredit: (credit: string | null) => void
}

export interface MapState {
  readonly filters: Filters
  readonly shown: LayerChoice
  readonly box: Box | undefined
}

/**
 * The map, drawn by MapLibre with WebGL, with expression tiles from its own protocol.
 * @throws {Error} where WebGL is missing
 */
export class DrawnMap {
  readonly #map: MapLibre
  readonly #options: DrawnMapOptions
  readonly #colours: Colours
  #world: World | undefined
  #shown: LayerChoice
  readonly #expressions: ExpressionTiles
  #tiles: string
  #districts: GeoJSON.FeatureCollection = empty
  #marked: MapFeature | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #pulses = 0

  constructor(options: DrawnMapOptions, { filters, shown, box }: MapState) {
    this.#options = options
    this.#colours = coloursOf(options.container)
    this.#shown = shown
    this.#tiles = tilesAddress(filters)
    this.#expressions = new ExpressionTiles(readMap, options.countText)
    // stays registered after the map is closed: pending tile requests of its workers would go to the network
    addProtocol(scheme, async ({ url }, { signal }) => ({ data: await this.#expressions.tile(url, signal) }))
    this.#map = new MapLibre({
      container: options.container,
      style: styleOf(this.#ownBase(), this.#tiles, shown, this.#colours),
      bounds: boundsOf(box ?? wholeWorld),
      maxZoom: deepestZoom,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      fadeDuration: 0,
      // needed for printing
      canvasContextAttributes: { preserveDrawingBuffer: true },
    })
    if (isDrawnBySoftware()) drawWithFewPixels(this.#map)
    this.#listen()
    if (options.tiles !== null) void this.#takeOperatorsBase(options.tiles)
  }

  #listen(): void {
    const map = this.#map
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    // the wheel scrolls the page until the map has the focus
    map.scrollZoom.disable()
    const canvas = map.getCanvas()
    canvas.id = 'map'
    canvas.setAttribute('role', 'application')
    canvas.setAttribute('aria-label', this.#options.label)
    canvas.addEventListener('focus', () => map.scrollZoom.enable())
    canvas.addEventListener('blur', () => map.scrollZoom.disable())
    canvas.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#options.onChoice(undefined)
      if (key === 'Enter' || key === ' ') this.#choose([canvas.clientWidth / 2, canvas.clientHeight / 2])
    })
    map.on('styleimagemissing', ({ id }) => {
      const image = drawImage(id, this.#colours)
      if (image !== undefined && !map.hasImage(id)) map.addImage(id, image, { pixelRatio })
    })
    map.on('click', ({ point }: MapMouseEvent) => this.#choose([point.x, point.y]))
    for (const layer of ['rings', 'district areas']) {
      map.on('mouseenter', layer, () => (canvas.style.cursor = 'pointer'))
      map.on('mouseleave', layer, () => (canvas.style.cursor = ''))
    }
    map.on('moveend', () => this.#notifyView())
    map.on('zoomend', () => this.mark(this.#marked))
    map.on('load', () => this.#notifyView())
    // failed tiles are requested again
    map.on('error', (event) => {
      if (!('sourceId' in event && event.sourceId === 'expressions')) return
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        if (!document.hidden) this.#refresh()
      }, retryMs)
    })
  }

  #tileZoom(): number {
    return Math.min(maxTileZoom, Math.max(0, Math.floor(this.#map.getZoom())))
  }

  #notifyView(): void {
    const bounds = this.#map.getBounds()
    this.#options.onView(boxOfEdges(bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()), this.#map.getZoom())
  }

  #choose([left, top]: readonly [number, number]): void {
    const area: [[number, number], [number, number]] = [
      [left - reach, top - reach],
      [left + reach, top + reach],
    ]
    const [ring] = this.#shown === 'districts' ? [] : this.#map.queryRenderedFeatures(area, { layers: ['rings'] })
    const [district] = this.#shown === 'districts' ? this.#map.queryRenderedFeatures([left, top], { layers: ['district areas'] }) : []
    this.#options.onChoice(ring === undefined ? district && String(district.properties.code) : JSON.parse(String(ring.properties.feature)))
  }

  #ownBase(): BaseMap {
    return builtInBaseMap(this.#world, this.#colours, this.#options.countryName)
  }

  async #takeOperatorsBase(tiles: NonNullable<ExplorerFacts['tiles']>): Promise<void> {
    try {
      const { customBaseMap } = await import('./base-map/custom-base-map.ts')
      const base = await customBaseMap(tiles, this.#colours)
      this.#map.setStyle(styleOf(base, this.#tiles, this.#shown, this.#colours), { diff: false })
      this.#map.once('style.load', () => this.#sourceOf('districts')?.setData(this.#districts))
      this.#options.onCredit(base.credit ?? null)
    } catch {
      // falls back to the built-in outlines
      this.#options.onCredit(null)
    }
  }

  #sourceOf(name: string): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(name)
  }

  /** Sets the outlines and names; an operator's map has its own. */
  setWorld(world: World): void {
    this.#world = world
    const { sources } = this.#ownBase()
    for (const [name, source] of Object.entries(sources))
      if (source.type === 'geojson' && typeof source.data === 'object') this.#sourceOf(name)?.setData(source.data)
  }

  setFilters(filters: Filters): void {
    const tiles = tilesAddress(filters)
    if (tiles === this.#tiles) return
    this.#tiles = tiles
    this.#map.getSource<import('maplibre-gl').VectorTileSource>('expressions')?.setTiles([tiles])
  }

  setShown(shown: LayerChoice): void {
    this.#shown = shown
    for (const [choice, layers] of Object.entries(layersOf))
      for (const layer of layers)
        if (this.#map.getLayer(layer)) this.#map.setLayoutProperty(layer, 'visibility', choice === shown ? 'visible' : 'none')
  }

  /** @param districts - outlines with `code`, `expressions` and `score` */
  setDistricts(districts: GeoJSON.FeatureCollection): void {
    this.#districts = districts
    this.#sourceOf('districts')?.setData(districts)
  }

  /** Draws new tiles in place of the visible ones that an answer covers. */
  setExpressions(covered: CoveredTiles): void {
    this.#expressions.covered = covered
    this.#refresh()
  }

  /** Reloads the visible tiles; the old ones stay until the new ones arrive. */
  #refresh(): void {
    if (this.#map.getSource('expressions')) this.#map.refreshTiles('expressions')
  }

  /** Marks the selection; undefined removes the mark. */
  mark(feature: MapFeature | undefined): void {
    this.#marked = feature
    const marked: GeoJSON.FeatureCollection =
      feature === undefined
        ? empty
        : {
            type: 'FeatureCollection',
            features: [
              {
                type: 'Feature',
                geometry: { type: 'Point', coordinates: [...drawnPlace(feature, this.#tileZoom())] },
                properties: { radius: radiusOf(countOf(feature)) + 4 },
              },
            ],
          }
    this.#sourceOf('chosen')?.setData(marked)
  }

  zoomBy(steps: number): void {
    this.#map.easeTo({ zoom: this.#map.getZoom() + steps })
  }

  fit(box: Box): void {
    this.#map.fitBounds(boundsOf(box), { padding: 48, maxZoom: 7 })
  }

  /** Centres the map on a place. @param zoom - minimum zoom */
  goTo([lon, lat]: readonly [number, number], zoom = 0): void {
    this.#map.easeTo({ center: [lon, lat], zoom: Math.max(zoom, this.#map.getZoom()) })
  }

  focus(): void {
    this.#map.getCanvas().focus()
  }

  /** Animates the place of a new expression. */
  pulse(place: LngLatLike, sentiment: Sentiment | 'unknown'): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden || this.#pulses >= maxPulses) return
    this.#pulses++
    const element = document.createElement('span')
    element.className = 'pulse'
    element.dataset.sentiment = sentiment
    element.setAttribute('aria-hidden', 'true')
    const marker = new Marker({ element }).setLngLat(place).addTo(this.#map)
    element.removeAttribute('tabindex')
    element.removeAttribute('role')
    setTimeout(() => {
      this.#pulses--
      marker.remove()
    }, pulseMs)
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#map.remove()
  }
}

/** A box that crosses the antimeridian continues beyond it. */
const boundsOf = ({ west, south, east, north }: Box): [number, number, number, number] => [
  west,
  Math.max(-85, south),
  east < west ? east + 360 : east,
  Math.min(85, north),
]
