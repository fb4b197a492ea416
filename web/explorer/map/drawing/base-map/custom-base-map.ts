import { addProtocol, type LayerSpecification, type SourceSpecification, type StyleSpecification } from 'maplibre-gl'
import type { Colours } from '../appearance/theme.ts'
import type { BaseMap } from './built-in-base-map.ts'

const patienceMs = 15_000

/**
 * Loads the operator's base map (TILES_URL): a style, a tile archive (PMTiles 3) or raster tiles.
 * @throws {Error} when it cannot be read
 */
export async function customBaseMap({ url, credit }: { url: string; credit: string | null }, colours: Colours): Promise<BaseMap> {
  const { pathname } = new URL(url.replaceAll(/[{}]/g, ''))
  const named = credit ?? new URL(url).host
  if (pathname.endsWith('.json')) return { ...(await styleAt(url)), credit: named }
  if (pathname.endsWith('.pmtiles')) return { ...(await archiveAt(url, colours)), credit: named }
  // the tile of the whole world shows whether the server responds
  await answerOf(url.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0'))
  return { ...rasterBase({ type: 'raster', tiles: [url], tileSize: 256 }), credit: named }
}

const rasterBase = (source: SourceSpecification): BaseMap => ({
  sources: { base: source },
  ground: [{ id: 'base', type: 'raster', source: 'base' }],
  names: [],
})

async function answerOf(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
  if (!response.ok) throw new Error(`GET ${url} returned HTTP ${response.status}`)
  return response
}

async function styleAt(url: string): Promise<BaseMap> {
  const { sources, layers, glyphs, sprite }: StyleSpecification = await (await answerOf(url)).json()
  const isName = ({ type }: LayerSpecification): boolean => type === 'symbol'
  return { sources, ground: layers.filter((layer) => !isName(layer)), names: layers.filter(isName), glyphs, sprite }
}

/** Draws vector tiles of any scheme: areas as land and water, lines as lines. */
async function archiveAt(url: string, colours: Colours): Promise<BaseMap> {
  const { PMTiles, Protocol, TileType } = await import('pmtiles')
  const protocol = new Protocol()
  const archive = new PMTiles(url)
  protocol.add(archive)
  addProtocol('pmtiles', protocol.tile)
  const { tileType } = await archive.getHeader()
  const address = `pmtiles://${url}`
  if (tileType !== TileType.Mvt) return rasterBase({ type: 'raster', url: address })
  const { vector_layers: layers = [] } = (await archive.getMetadata()) as { readonly vector_layers?: readonly { readonly id: string }[] }
  return {
    sources: { base: { type: 'vector', url: address } },
    ground: [
      { id: 'sea', type: 'background', paint: { 'background-color': colours.land } },
      ...layers.flatMap(({ id }): LayerSpecification[] => [
        {
          id: `${id} areas`,
          type: 'fill',
          source: 'base',
          'source-layer': id,
          filter: ['==', ['geometry-type'], 'Polygon'],
          paint: { 'fill-color': /water|sea|ocean/.test(id) ? colours.sea : colours.land },
        },
        {
          id: `${id} lines`,
          type: 'line',
          source: 'base',
          'source-layer': id,
          filter: ['==', ['geometry-type'], 'LineString'],
          paint: { 'line-color': /bound/.test(id) ? colours.border : colours.coast, 'line-width': 0.8 },
        },
      ]),
    ],
    names: [],
  }
}
