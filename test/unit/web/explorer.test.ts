import { describe, expect, it } from 'vitest'
import { filtersOf, firstDayOf, layerOfAddress, noFilters, parametersOf } from '../../../web/explorer/filters/address.ts'
import { drawnPlace, radiusOf } from '../../../web/explorer/map/drawing/appearance/drawn-place.ts'
import { barsOf, lastDayOf, linesOf } from '../../../web/explorer/tone/bars.ts'
import { boxAround, countOf, featuresIn, type MapFeature, tileOf } from '../../../web/explorer/view/features.ts'
import { boxOfTiles, hasTile, type TileRange, tilesAround, tilesAroundTiles } from '../../../web/explorer/view/tiles.ts'
import { boxOfEdges, boxOfText, boxOfTile, textOfBox } from '../../../web/explorer/view/view.ts'

describe('the address of a view', () => {
  it('can be parsed from its text', () => {
    const filters = { domain: 'health/hospitals', sentiment: 'negative', written: 'wo', period: '30', q: '"plus d’eau" été' } as const
    const box = { west: 170, south: -20.5, east: -170, north: 5 }
    const text = parametersOf(filters, { box, shown: 'heat' }, '?lang=fr&domain=old').toString()
    expect(text).toContain('lang=fr')
    expect(filtersOf(`?${text}`)).toEqual(filters)
    expect([layerOfAddress(`?${text}`), layerOfAddress('?layer=x')]).toEqual(['heat', 'rings'])
    expect(boxOfText(new URLSearchParams(text).get('bbox') ?? '')).toEqual(box)
    expect(parametersOf(noFilters, { box: undefined, shown: 'rings' }, `?${text}`).toString()).toBe('lang=fr')
  })

  it('ignores invalid filters and areas', () => {
    expect(filtersOf('?sentiment=angry&written=<b>&period=12')).toEqual(noFilters)
    for (const text of ['', '1,2,3', '1,2,3,x', '-181,0,1,1', '0,5,1,5', '0,0,1,91', ',,,1', '0x10,0,0x14,5'])
      expect(boxOfText(text), text).toBeUndefined()
  })

  it('has the first day of a period, today included', () => {
    const now = Date.parse('2026-11-21T10:00:00Z')
    expect([firstDayOf('7', now), firstDayOf('30', now), firstDayOf('', now)]).toEqual(['2026-11-15', '2026-10-23', undefined])
  })
})

describe('an area of the world', () => {
  it('is sent to services within 180 degrees, and as the whole world when it spans it', () => {
    expect(textOfBox(boxOfEdges(170, -10, 190, 10))).toBe('170,-10,-170,10')
    expect(textOfBox(boxOfEdges(-300, -95, 300, 95))).toBe('-180,-90,180,90')
  })

  it('is that of a tile, up to the poles', () => {
    expect(boxOfTile('0/0/0')).toEqual({ west: -180, south: -90, east: 180, north: 90 })
    const { west, south, east, north } = boxOfTile('1/1/0')
    expect([west, east, north]).toEqual([0, 180, 90])
    expect(south).toBeCloseTo(0, 9)
    // OpenStreetMap wiki, "Slippy map tilenames": zoom 10 of Dakar
    expect(boxOfTile('10/462/470')).toMatchObject({ west: expect.closeTo(-17.578, 3), north: expect.closeTo(14.605, 2) })
  })

  it('contains the expressions, except a few distant ones', () => {
    const point = (lon: number, lat: number): MapFeature => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: {
        cluster: false,
        id: `${lon}`,
        domain: null,
        sub_domain: null,
        sentiment: null,
        lang: 'fr',
        created_at: '',
        votes: { agree: 0, disagree: 0, pass: 0 },
      },
    })
    expect(boxAround([])).toBeUndefined()
    const near = Array.from({ length: 99 }, (_, n) => point(n / 100, 10 + n / 100))
    expect(boxAround([...near, point(170, -60)])).toEqual({ west: 0.02, south: 10.01, east: 0.97, north: 10.96 })
  })
})

describe('the tiles of an area', () => {
  const all = (zoom: number): readonly string[] =>
    Array.from({ length: 4 ** zoom }, (_, index) => `${zoom}/${index % 2 ** zoom}/${Math.floor(index / 2 ** zoom)}`)
  const of = (range: TileRange | undefined): readonly string[] =>
    range === undefined ? [] : all(range.zoom).filter((name) => hasTile(range, name))

  it.each([
    [{ west: -17, south: 1, east: 40, north: 20 }, 3, ['3/3/3', '3/4/3']],
    [{ west: 170, south: -20, east: -170, north: 20 }, 2, ['2/0/1', '2/3/1', '2/0/2', '2/3/2']],
    [{ west: -180, south: -90, east: 180, north: 90 }, 1, ['1/0/0', '1/1/0', '1/0/1', '1/1/1']],
    [{ west: 1, south: 1, east: 2, north: 2 }, 0, ['0/0/0']],
    // borders of a tile belong to no neighbour
    [boxOfTile('3/4/3'), 3, ['3/4/3']],
  ])('of %o at zoom %i are those that it intersects, and their box contains it', (box, zoom, expected) => {
    const range = tilesAround(box, zoom)
    expect(of(range).toSorted()).toEqual(expected.toSorted())
    expect(range && of(tilesAround(boxOfTiles(range), zoom)).toSorted()).toEqual(expected.toSorted())
  })

  it('are as many as one request can read', () => {
    expect(tilesAround({ west: -180, south: -90, east: 180, north: 90 }, 3)).toMatchObject({ columns: 8, rows: 8 })
    expect(tilesAround({ west: -180, south: -90, east: 180, north: 90 }, 4)).toBeUndefined()
    expect(tilesAroundTiles(['4/0/0', '4/15/15'])).toBeUndefined()
  })

  it('contain each other tile between some tiles', () =>
    expect(of(tilesAroundTiles(['3/2/3', '3/4/2'])).toSorted()).toEqual(['3/2/2', '3/2/3', '3/3/2', '3/3/3', '3/4/2', '3/4/3']))

  it('have each feature once, a cluster in the tile of its cell', () => {
    const at = (lon: number, lat: number, cluster?: string): MapFeature => {
      const common = { type: 'Feature', geometry: { type: 'Point', coordinates: [lon, lat] } } as const
      const counts = { point_count: 2, expansion_zoom: 4, sentiment: { positive: 0, neutral: 0, negative: 0 }, domains: {} }
      const single = {
        domain: null,
        sub_domain: null,
        sentiment: null,
        lang: 'fr',
        created_at: '',
        votes: { agree: 0, disagree: 0, pass: 0 },
      }
      return cluster === undefined
        ? { ...common, properties: { cluster: false, id: `${lon}`, ...single } }
        : { ...common, properties: { cluster: true, cluster_id: cluster, ...counts } }
    }
    expect(tileOf(at(0, 0), 3)).toBe('3/4/4')
    expect(tileOf(at(180, -90), 2)).toBe('2/3/3')
    // its mean lies on the border of its cell, which rounding may move
    expect(tileOf(at(45, 1, '6/39/31'), 3)).toBe('3/4/3')
    const inView = featuresIn([at(175, 0), at(-175, 0), at(0, 0), at(175, 40)], { west: 170, south: -5, east: -170, north: 5 })
    expect(inView.map(({ geometry }) => geometry.coordinates[0])).toEqual([175, -175])
  })
})

describe('the positions of rings', () => {
  const cluster = (id: string, count: number, coordinates: readonly [number, number]): MapFeature => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: {
      cluster: true,
      cluster_id: id,
      point_count: count,
      expansion_zoom: 5,
      sentiment: { positive: count, neutral: 0, negative: 0 },
      domains: {},
    },
  })
  const point = (coordinates: readonly [number, number]): MapFeature => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: {
      cluster: false,
      id: 'one',
      domain: null,
      sub_domain: null,
      sentiment: null,
      lang: 'fr',
      created_at: '2026-11-26T00:00:00Z',
      votes: { agree: 0, disagree: 0, pass: 0 },
    },
  })
  /** in a world that is 512 pixels wide at zoom 0 */
  const pixelsOf = (feature: MapFeature, zoom: number): readonly [number, number] => {
    const [lon, lat] = drawnPlace(feature, zoom)
    const wide = 512 * 2 ** zoom
    return [((lon + 180) / 360) * wide, (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * wide]
  }

  it.each([
    ['side by side', cluster('7/63/58', 900, [-0.01, 14]), cluster('7/64/58', 20_000, [0.01, 14])],
    ['one above the other', cluster('7/64/63', 40, [1.4, 0.01]), cluster('7/64/64', 40, [1.4, -0.01])],
    ['corner to corner', cluster('7/63/63', 5000, [-0.01, 0.01]), cluster('7/64/64', 5000, [0.01, -0.01])],
    ['a group and one expression', cluster('7/63/58', 900, [-0.01, 14]), point([0.01, 14])],
  ])('do not overlap: %s', (_, one, other) => {
    const [[x, y], [otherX, otherY]] = [pixelsOf(one, 4), pixelsOf(other, 4)]
    expect(Math.hypot(x - otherX, y - otherY)).toBeGreaterThan(radiusOf(countOf(one)) + radiusOf(countOf(other)))
  })

  it('are unchanged when no cell edge is near, also at the edge of the world', () => {
    expect(drawnPlace(point([1.4, 1.4]), 4)).toEqual([expect.closeTo(1.4, 9), expect.closeTo(1.4, 9)])
    const [lon, lat] = drawnPlace(point([180, -90]), 0)
    expect([lon, lat]).toEqual([expect.closeTo(172, -1), expect.closeTo(-84, -1)])
  })
})

describe('sentiment over time', () => {
  const day = (text: string, positive = 1) => ({ day: text, positive, neutral: 0, negative: 2 })

  it('has a bar for every day from the first to the last, and one for each week of a long period', () => {
    expect(barsOf([])).toEqual([])
    expect(barsOf([day('2026-11-18'), day('2026-11-21', 5)]).map(({ from, positive, days }) => [from, positive, days])).toEqual([
      ['2026-11-18', 1, 1],
      ['2026-11-19', 0, 1],
      ['2026-11-20', 0, 1],
      ['2026-11-21', 5, 1],
    ])
    const weeks = barsOf([day('2026-09-01'), day('2026-11-20'), day('2026-11-21')])
    expect(weeks.at(-1)).toEqual({ from: '2026-11-15', days: 7, positive: 2, neutral: 0, negative: 4 })
    expect(lastDayOf(weeks.at(-1) ?? expect.fail('no week'))).toBe('2026-11-21')
    expect(weeks.reduce((sum, { negative }) => sum + negative, 0)).toBe(6)
  })

  it('has three to six grid lines', () => {
    for (const highest of [1, 3, 7, 42, 999, 12_345]) {
      const lines = linesOf([{ from: '2026-11-21', days: 1, positive: highest, neutral: 0, negative: 0 }])
      expect(lines.at(-1), `${highest}`).toBeGreaterThanOrEqual(highest)
      expect(lines.length, `${highest}`).toBeLessThanOrEqual(7)
      expect(lines[0]).toBe(0)
    }
  })
})
