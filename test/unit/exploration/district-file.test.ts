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
  it('gives each a code and its names, by language or of none', () => {
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
    ['another kind of file', { type: 'Topology' }, /^type: /],
    ['a point', collection(feature({ geometry: { type: 'Point', coordinates: [0, 0] } })), /^features\.0\.geometry\.type: /],
    [
      'a ring that stays open',
      collection(feature({ geometry: { type: 'Polygon', coordinates: [square.slice(0, 4)] } })),
      /coordinates\.0: a ring should end where it begins/,
    ],
    [
      'degrees beyond the world',
      collection(feature({ geometry: { type: 'Polygon', coordinates: [[[200, 0], ...square.slice(1)]] } })),
      /coordinates\.0\.0\.0: /,
    ],
    ['neither id nor code', collection(feature({ id: undefined, properties: {} })), /^features\.0: it has neither an id nor a code$/],
    ['one code twice', collection(feature(), feature()), /^features\.1: there is another one with the code "a"$/],
  ])('is refused with the place of what is wrong: %s', (_, content, problem) => {
    expect(() => districtsOf(content)).toThrow(problem)
  })

  it('is named where it cannot be read', () => {
    const file = join(folder, 'districts.json')
    expect(() => readDistricts(file)).toThrow(/^DISTRICTS_FILE .*districts\.json cannot be used: ENOENT/)
    writeFileSync(file, '{"type":')
    expect(() => readDistricts(file)).toThrow(/^DISTRICTS_FILE .*districts\.json cannot be used: /)
    writeFileSync(file, JSON.stringify(collection(feature())))
    expect(readDistricts(file).all).toHaveLength(1)
  })
})
