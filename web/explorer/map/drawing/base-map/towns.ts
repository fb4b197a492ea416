export interface Town {
  readonly name: string
  readonly lon: number
  readonly lat: number
  readonly thousands: number
}

/** Parses places.tsv: name, longitude, latitude, thousands of inhabitants, largest first. */
export const townsOf = (text: string): readonly Town[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', lon, lat, thousands] = line.split('\t')
      return { name, lon: Number(lon), lat: Number(lat), thousands: Number(thousands) }
    })

/** Returns the largest town within a distance in degrees. */
export const townNear = (towns: readonly Town[], lon: number, lat: number, reach: number): Town | undefined =>
  towns.find((town) => Math.abs(town.lon - lon) < reach && Math.abs(town.lat - lat) < reach)
