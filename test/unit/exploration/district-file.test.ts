import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { districtsOf, readDistricts } from '../../../subgraphs/exploration/districts/districts.ts'

const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
]
const feature = (more: object = {}) => ({
  type: 'Feature',
  id: 'a',
  properties: { name: 'A' },
  geometry: { type: 'Polygon', coordinates: [square] },
  ...more,
})
const collection = (...features: readonly object[]) => ({ type: 'FeatureCollection', features })

const folder = mkdtempSync(join(tmpdir(), 'districts-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file of districts', () => {
  it('gives each district a code and its names, by language or without one', () => {
    const { all, geoJson } = districtsOf(
      collection(
        feature(),
        feature({ id: undefined, properties: { code: 'b', names: { fr: 'Bé', ar: 'ب' } } }),
        feature({ id: 7, properties: {} }),
      ),
    )
    expect(all.map(({ code, names }) => [code, names])).toEqual([
      ['a', { und: 'A' }],
      ['b', { fr: 'Bé', ar: 'ب', und: 'b' }],
      ['7', { und: '7' }],
    ])
    expect(JSON.parse(geoJson).features.map(({ properties }: { properties: object }) => properties)).toEqual([
      { code: 'a' },
      { code: 'b' },
      { code: '7' },
    ])
  })

  it.each([
    ['another kind of file', { type: 'Topology' }, /^type: it should be "FeatureCollection", as GeoJSON has it \(RFC 7946\)$/],
    [
      'a point',
      collection(feature({ geometry: { type: 'Point', coordinates: [0, 0] } })),
      /^features\.0\.geometry\.type: it should be "Polygon" or "MultiPolygon": a district is an area$/,
    ],
    [
      'a ring that stays open',
      collection(feature({ geometry: { type: 'Polygon', coordinates: [square.slice(0, 4)] } })),
      /coordinates\.0: a ring should end where it begins/,
    ],
    [
      'degrees beyond the world',
      collection(feature({ geometry: { type: 'Polygon', coordinates: [[[200, 0], ...square.slice(1)]] } })),
      /coordinates\.0\.0\.0: the longitude should be a number of degrees, -180 to 180$/,
    ],
    ['no object', [], /^the file: it should be a FeatureCollection of GeoJSON \(RFC 7946\)$/],
    ['features that are no list', { type: 'FeatureCollection' }, /^features: they should be a list of features$/],
    [
      'a position of one number',
      collection(feature({ geometry: { type: 'Polygon', coordinates: [[[1], ...square.slice(1)]] } })),
      /coordinates\.0\.0\.1: the latitude should be a number of degrees, -90 to 90$/,
    ],
    [
      'a name that is no text',
      collection(feature({ properties: { name: 7 } })),
      /^features\.0\.properties\.name: a name should be a text of 1 to 200 characters$/,
    ],
    [
      'an id that is an object',
      collection(feature({ id: {} })),
      /^features\.0\.id: a code should be a text of 1 to 100 characters, or a number$/,
    ],
    [
      'names without languages',
      collection(feature({ properties: { names: ['Nord'] } })),
      /^features\.0\.properties\.names: they should be names by language/,
    ],
    ['neither id nor code', collection(feature({ id: undefined, properties: {} })), /^features\.0: it has neither an id nor a code$/],
    ['one code twice', collection(feature(), feature()), /^features\.1: another feature has the code "a"$/],
  ])('is refused with the path of the problem: %s', (_, content, problem) => {
    expect(() => districtsOf(content)).toThrow(problem)
  })

  it('is named when it cannot be read', () => {
    const file = join(folder, 'districts.json')
    expect(() => readDistricts(file)).toThrow(/^DISTRICTS_FILE .*districts\.json cannot be used: the file does not exist$/)
    writeFileSync(file, '{"type":')
    expect(() => readDistricts(file)).toThrow(/^DISTRICTS_FILE .*districts\.json cannot be used: the file is not JSON \(/)
    expect(() => readDistricts(folder)).toThrow(/cannot be used: the path is a directory$/)
    writeFileSync(file, JSON.stringify(collection(feature())))
    expect(readDistricts(file).all).toHaveLength(1)
  })
})
