import countryCodes from 'i18n-iso-countries/codes.json?url'
import fine from 'world-atlas/countries-50m.json?url'
import coarse from 'world-atlas/countries-110m.json?url'
import { isInside, type Outlines, outlinesOf } from './outlines.ts'
import places from './places.tsv?url'

interface Town {
  readonly name: string
  readonly lon: number
  readonly lat: number
  readonly thousands: number
}

/** Parses places.tsv: name, longitude, latitude, thousands of inhabitants, largest first. */
const townsOf = (text: string): readonly Town[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', lon, lat, thousands] = line.split('\t')
      return { name, lon: Number(lon), lat: Number(lat), thousands: Number(thousands) }
    })

/** Returns the largest town within a distance in degrees. */
const townNear = (towns: readonly Town[], lon: number, lat: number, reach: number): Town | undefined =>
  towns.find((town) => Math.abs(town.lon - lon) < reach && Math.abs(town.lat - lat) < reach)

/** World data that needs no external network. */
export interface World {
  readonly outlines: Outlines
  /** two-letter codes of countries by numeric ISO 3166-1 code */
  readonly letters: ReadonlyMap<string, string>
  /** undefined before the second step */
  readonly towns: readonly Town[]
}

const patienceMs = 30_000

async function loaded(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
  if (!response.ok) throw new Error(`GET ${url} returned HTTP ${response.status}`)
  return response
}

/** Loads the world in two steps: coarse outlines first, then towns and fine outlines. @param onWorld - called for each */
export async function loadWorld(onWorld: (world: World) => void): Promise<void> {
  const [first, codes] = await Promise.all([loaded(coarse), loaded(countryCodes)])
  const rows: readonly (readonly [letters: string, three: string, number: string])[] = await codes.json()
  const letters = new Map(rows.map(([two, , number]) => [number, two]))
  onWorld({ outlines: outlinesOf(await first.json()), letters, towns: [] })
  const [towns, atlas] = await Promise.all([loaded(places), loaded(fine)])
  onWorld({ outlines: outlinesOf(await atlas.json()), letters, towns: townsOf(await towns.text()) })
}

/** Returns the country code and the largest town nearby. @param reach - distance in degrees */
export function placeAt({ outlines, letters, towns }: World, lon: number, lat: number, reach: number) {
  const country = outlines.countries.find((each) => isInside(each, lon, lat))
  return { country: country && letters.get(country.number), town: townNear(towns, lon, lat, reach)?.name }
}
