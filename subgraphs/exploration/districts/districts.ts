import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { messageOf } from '../../../foundation/fault.ts'
import type { CellRange } from '../geometry/area.ts'
import { coverOfDistrict, type DistrictCover, rangesOfCells } from './district-cover.ts'
import { type Outline, outlineOf } from './outline.ts'

/** An area with its own figures. */
export interface District {
  readonly code: string
  /** by language; `und` for a name without a language */
  readonly names: Readonly<Record<string, string>>
  readonly outline: Outline
  readonly cover: DistrictCover
}

/** The districts of an operator. */
export interface Districts {
  readonly all: readonly District[]
  /** distinct cells that lie entirely in a district */
  readonly ranges: readonly CellRange[]
  /** districts by the name of a cell; outlines may overlap */
  readonly owners: ReadonlyMap<string, readonly number[]>
  /** the outlines as application/geo+json text */
  readonly geoJson: string
  /** the same as an object */
  readonly featureCollection: unknown
}

export const nameOfCell = (zoom: number, row: number, column: number): string => `${zoom}/${row}/${column}`

const maxBytes = 32 * 1024 * 1024
const maxDistricts = 1000
const maxPositions = 500_000

const degrees = (name: string, max: number) => {
  const words = `${name} should be a number of degrees, -${max} to ${max}`
  return z.number(words).min(-max, words).max(max, words)
}
const position = z.tuple(
  [degrees('the longitude', 180), degrees('the latitude', 90)],
  z.number('a position should hold numbers alone'),
  'a position should be [longitude, latitude]',
)
const ring = z
  .array(position, 'a ring should be a list of positions')
  .min(4, 'a ring should have four positions at least')
  .refine((positions) => positions[0]?.slice(0, 2).join() === positions.at(-1)?.slice(0, 2).join(), 'a ring should end where it begins')
const polygon = z.array(ring, 'a polygon should be a list of rings').min(1, 'a polygon should have a ring')
const code = z
  .union([z.string().min(1).max(100), z.number()], 'a code should be a text of 1 to 100 characters, or a number')
  .transform(String)
const nameInWords = 'a name should be a text of 1 to 200 characters'
const name = z.string(nameInWords).trim().min(1, nameInWords).max(200, nameInWords)
const language = z.string().regex(/^[a-z]{2,3}$/)
const areas = 'it should be "Polygon" or "MultiPolygon": a district is an area'
const Feature = z.object(
  {
    type: z.literal('Feature', 'it should be "Feature"'),
    id: code.optional(),
    properties: z
      .object(
        {
          code: code.optional(),
          name: name.optional(),
          names: z.record(language, name, 'they should be names by language, such as {"fr": "Nord"}').optional(),
        },
        'they should be an object, such as {"code": "n", "name": "Nord"}',
      )
      .nullable()
      .transform((properties) => properties ?? {}),
    geometry: z.discriminatedUnion(
      'type',
      [
        z.object({ type: z.literal('Polygon'), coordinates: polygon }),
        z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(polygon, 'they should be a list of polygons').min(1, areas) }),
      ],
      areas,
    ),
  },
  'it should be a feature of GeoJSON: an object',
)
const collectionInWords = 'it should be "FeatureCollection", as GeoJSON has it (RFC 7946)'
const Collection = z.object(
  {
    type: z.literal('FeatureCollection', collectionInWords),
    features: z.array(Feature, 'they should be a list of features').max(maxDistricts, `at most ${maxDistricts} features are allowed`),
  },
  'it should be a FeatureCollection of GeoJSON (RFC 7946)',
)

const withOutlines = (features: readonly unknown[]): Pick<Districts, 'geoJson' | 'featureCollection'> => {
  const featureCollection = { type: 'FeatureCollection', features }
  return { geoJson: JSON.stringify(featureCollection), featureCollection }
}

export const noDistricts: Districts = { all: [], ranges: [], owners: new Map(), ...withOutlines([]) }

/**
 * Reads a FeatureCollection of polygons (RFC 7946). The code of a district is its `id` or the property `code`; its name is the property
 * `name`, or `names` by language.
 * @throws {Error} naming the file and the invalid member
 */
export function readDistricts(file: string): Districts {
  try {
    if (statSync(file).size > maxBytes) throw new Error(`the file is larger than ${maxBytes / 1024 / 1024} MiB`)
    return districtsOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new Error(`DISTRICTS_FILE ${file} cannot be used: ${inWords(error)}`)
  }
}

function inWords(error: unknown): string {
  if (error instanceof SyntaxError) return `the file is not JSON (${messageOf(error)})`
  const { code } = error as NodeJS.ErrnoException
  return (code !== undefined && refusals.get(code)) || messageOf(error)
}

/** error codes of the operating system */
const refusals: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'the file does not exist'],
  ['EACCES', 'this process has no permission to read the file'],
  ['EISDIR', 'the path is a directory'],
])

/** @throws {Error} naming the invalid member */
export function districtsOf(content: unknown): Districts {
  const { data, error } = Collection.safeParse(content)
  if (data === undefined) {
    const [issue] = error.issues
    throw new Error(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
  }
  const codes = new Set<string>()
  let positions = 0
  const all = data.features.map(({ id, properties, geometry }, index): District => {
    const own = id ?? properties.code
    if (own === undefined) throw new Error(`features.${index}: it has neither an id nor a code`)
    if (codes.has(own)) throw new Error(`features.${index}: another feature has the code "${own}"`)
    codes.add(own)
    const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
    positions += rings.reduce((sum, each) => sum + each.length, 0)
    if (positions > maxPositions) throw new Error(`features.${index}: all outlines together must have at most ${maxPositions} positions`)
    const outline = outlineOf(rings.map((each) => each.map(([lon, lat]) => [lon, lat] as const)))
    return { code: own, names: { ...properties.names, und: properties.name ?? own }, outline, cover: coverOfDistrict(outline) }
  })
  const features = data.features.map(({ geometry }, index) => ({
    type: 'Feature',
    properties: { code: all[index]?.code },
    geometry,
  }))
  const owners = new Map<string, number[]>()
  for (const [index, { cover }] of all.entries())
    for (const { zoom, row, column } of cover.cells) {
      const name = nameOfCell(zoom, row, column)
      owners.set(name, [...(owners.get(name) ?? []), index])
    }
  const ranges = rangesOfCells(all.flatMap(({ cover }) => cover.cells))
  return { all, ranges, owners, ...withOutlines(features) }
}
