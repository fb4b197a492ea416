/** Edges of an area in degrees; west is greater than east where the area crosses the antimeridian. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export const wholeWorld: Box = { west: -180, south: -85, east: 180, north: 85 }

/** "west,south,east,north", as services and addresses use it. */
export const textOfBox = ({ west, south, east, north }: Box): string => [west, south, east, north].join(',')

/** undefined for any other text */
export function boxOfText(text: string): Box | undefined {
  const parts = text.split(',')
  const [west, south, east, north] = parts.map(Number)
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^-?\d+(?:\.\d+)?$/.test(part)) ||
    west === undefined ||
    south === undefined ||
    east === undefined ||
    north === undefined
  )
    return undefined
  const isSound = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90 && south < north
  return isSound ? { west, south, east, north } : undefined
}

/** Normalises a longitude to -180…180. */
export const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180

const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4

/** Returns a map area in the form that services accept; its edges may lie beyond 180 degrees. */
export function boxOfEdges(west: number, south: number, east: number, north: number): Box {
  const [southEdge, northEdge] = [rounded(Math.max(-90, south)), rounded(Math.min(90, north))]
  if (east - west >= 360) return { west: -180, south: southEdge, east: 180, north: northEdge }
  return { west: rounded(wrapped(west)), south: southEdge, east: rounded(wrapped(east)), north: northEdge }
}

/** Returns the edges of a tile. @param name - `zoom/column/row` */
export function boxOfTile(name: string): Box {
  const [zoom = 0, column = 0, row = 0] = name.split('/').map(Number)
  const size = 2 ** zoom
  const latitude = (part: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * part))) * 180) / Math.PI
  return {
    west: (column / size) * 360 - 180,
    south: row + 1 === size ? -90 : latitude((row + 1) / size),
    east: ((column + 1) / size) * 360 - 180,
    north: row === 0 ? 90 : latitude(row / size),
  }
}
