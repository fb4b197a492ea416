import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { districtFigures } from '../../../subgraphs/exploration/districts/district-figures.ts'
import { districtsOf } from '../../../subgraphs/exploration/districts/districts.ts'
import { anyNetwork, type CountedExpression, matches, randomPosition, randomSelection, sentiments, voteFigures } from './counting.ts'
import { type ExplorationStore, expressionOf, noon, openExploring, randomOf, taxonomy } from './support.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1e9)
const random = randomOf(seed)
const { pick, chance, below, next } = random

type Ring = readonly (readonly [lon: number, lat: number])[]

/** A ring around a centre with the given number of corners at random distances; it does not intersect itself. */
function ringAround([lon, lat]: readonly [number, number], reach: number): Ring {
  const corners = Array.from({ length: 3 + below(20) }, (_, index, turn = index) => ({ turn, far: reach * (0.3 + 0.7 * next()) }))
  const points = corners.map(({ turn, far }): [number, number] => {
    const angle = (2 * Math.PI * turn) / corners.length
    return [lon + far * Math.cos(angle), lat + far * Math.sin(angle)]
  })
  return [...points, points[0] ?? [lon, lat]]
}

/** Whether a point is inside, by its winding number: an algorithm other than the tested one. */
function winds(rings: readonly Ring[], lon: number, lat: number): boolean {
  const turns = rings.map((ring) => {
    let angle = 0
    for (const [index, [toLon, toLat]] of ring.entries()) {
      const [fromLon, fromLat] = ring[index - 1] ?? [toLon, toLat]
      const step = Math.atan2(toLat - lat, toLon - lon) - Math.atan2(fromLat - lat, fromLon - lon)
      angle += step > Math.PI ? step - 2 * Math.PI : step < -Math.PI ? step + 2 * Math.PI : step
    }
    return Math.round(angle / (2 * Math.PI))
  })
  return turns.filter((turn) => turn !== 0).length % 2 === 1
}

describe(`figures of districts (seed ${seed})`, () => {
  let exploring: ExplorationStore
  const expressions: CountedExpression[] = []
  beforeAll(async () => {
    exploring = await openExploring()
    await exploring.startWorker()
    for (let n = 0; n < 400; n++) {
      const subDomain = chance(0.7) ? pick(taxonomy.filter(({ parentId }) => parentId !== null)) : undefined
      const record = expressionOf({
        lang: pick(['fr', 'en', 'wo']),
        domain: subDomain?.parentId ?? null,
        subDomain: subDomain?.id ?? null,
        sentiment: chance(0.8) ? pick(sentiments) : null,
        position: randomPosition(random),
        createdAt: new Date(noon - below(80) * 86_400_000),
      })
      expressions.push({ ...record, votes: new Map(), unverifiedVotes: new Map() })
    }
    await exploring.store.saveExpressions(expressions.map(({ votes: _, unverifiedVotes: __, ...record }) => record))
    for (let n = 0; n < 100; n++) {
      const [on, voter, value] = [pick(expressions), n.toString(16).padStart(64, '0'), pick(['agree', 'disagree', 'pass'] as const)]
      if (chance(0.3)) {
        await exploring.store.castPublicVote(on.id, voter, value, anyNetwork)
        on.unverifiedVotes.set(voter, value)
      } else {
        await exploring.store.castVote(on.id, voter, value)
        on.votes.set(voter, value)
      }
    }
    await exploring.settled()
  }, 120_000)
  afterAll(() => exploring?.[Symbol.asyncDispose]())

  it('equal a count of the expressions inside the outline: large and small ones, with holes, of several parts, and overlapping', async () => {
    const outlines = Array.from({ length: 40 }, (_, index) => {
      const { position } = pick(expressions.filter(({ position: at }) => at !== null && Math.abs(at.lat) < 50 && Math.abs(at.lon) < 60))
      const middle = [(position?.lon ?? 0) + next() - 0.5, (position?.lat ?? 0) + next() - 0.5] as const
      const reach = 38 * next() ** 4 + 0.001
      const rings = [ringAround(middle, reach), ...(chance(0.4) ? [ringAround(middle, reach * 0.25)] : [])]
      const towardsGreenwich = middle[0] > 0 ? -1 : 1
      const other = [ringAround([middle[0] + towardsGreenwich * 3 * reach, middle[1]], reach * 0.9)]
      const parts = chance(0.3) ? [rings, other] : [rings]
      return { code: `d${index}`, parts }
    })
    const districts = districtsOf({
      type: 'FeatureCollection',
      features: outlines.map(({ code, parts }) => ({
        type: 'Feature',
        id: code,
        properties: {},
        geometry: { type: 'MultiPolygon', coordinates: parts },
      })),
    })
    let counted = 0
    await exploring.rollUps.read(async (snapshot) => {
      for (let n = 0; n < 8; n++) {
        const selection = { ...randomSelection(random), box: null }
        const figures = await districtFigures(snapshot, districts, selection)
        expect(figures).toHaveLength(outlines.length)
        for (const [index, { district, ...figure }] of figures.entries()) {
          const rings = outlines[index]?.parts.flat() ?? []
          const list = expressions.filter(
            (each) => matches(selection, each) === 'in' && each.position !== null && winds(rings, each.position.lon, each.position.lat),
          )
          counted += list.length
          const votes = list.flatMap((each) => [...each.votes.values()])
          const unverified = list.flatMap((each) => [...each.unverifiedVotes.values()])
          const label = (sentiment: string): number => list.filter((each) => each.sentiment === sentiment).length
          const domains = Map.groupBy(
            list.filter(({ domain }) => domain !== null),
            ({ domain }) => domain ?? '',
          )
          expect(figure, JSON.stringify([selection, outlines[index]])).toEqual({
            expressions: list.length,
            votes: { ...voteFigures(votes), unverified: voteFigures(unverified) },
            positive: label('positive'),
            neutral: label('neutral'),
            negative: label('negative'),
            domains: [...domains].map(([id, each]) => [id, each.length]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
          })
          expect(district.code).toBe(`d${index}`)
        }
      }
    })
    expect(counted).toBeGreaterThan(100)
  }, 120_000)
})
