import { expect } from 'vitest'
import type { ExpressionRecord, PublicVoterAllowance, VoteValue } from '../../../engines/analytics-store/analytics-store.ts'
import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import type { MapAnswer } from '../../../subgraphs/exploration/queries/map-view.ts'
import type { Selection } from '../../../subgraphs/exploration/queries/selection.ts'
import { type randomOf, taxonomy } from './support.ts'

/** An expression and its votes, counted one by one as a reference for the roll-ups. */
export interface CountedExpression extends ExpressionRecord {
  /** Verified votes. */
  readonly votes: Map<string, VoteValue>
  readonly unverifiedVotes: Map<string, VoteValue>
}

const noVotes: Readonly<Record<VoteValue, number>> = { agree: 0, disagree: 0, pass: 0 }

/** Counts votes by value. */
export function votesByValue(votes: Iterable<VoteValue>): Readonly<Record<VoteValue, number>> {
  const counts = { ...noVotes }
  for (const vote of votes) counts[vote]++
  return counts
}

/** Counts votes by value, with the sum. */
export const voteFigures = (votes: readonly VoteValue[]) => ({ total: votes.length, ...votesByValue(votes) })

/** A vote allowance without a limit for the network. */
export const anyNetwork: PublicVoterAllowance = {
  day: '2026-11-21',
  address: 'ab'.repeat(32),
  perExpression: 1_000_000,
  perDay: 1_000_000,
}

export const sentiments: readonly Sentiment[] = ['positive', 'neutral', 'negative']
const dayOf = (at: Date): number => Number(at.toISOString().slice(0, 10).replaceAll('-', ''))

export function matches({ domain, sentiment, lang, from, to, box }: Selection, expression: CountedExpression): 'in' | 'unmapped' | 'no' {
  const day = dayOf(expression.createdAt)
  const fits =
    (domain === null || expression.domain === domain || expression.subDomain === domain) &&
    (sentiment === null || expression.sentiment === sentiment) &&
    (lang === null || expression.lang === lang) &&
    (from === null || day >= from) &&
    (to === null || day <= to)
  if (!fits) return 'no'
  if (expression.position === null) return 'unmapped'
  if (box === null) return 'in'
  const { lat, lon } = expression.position
  const across = box.west <= box.east ? lon >= box.west && lon <= box.east : lon >= box.west || lon <= box.east
  return across && lat >= box.south && lat <= box.north ? 'in' : 'no'
}

/** The tile of a position by the published formula (OpenStreetMap wiki, "Slippy map tilenames"). */
function tileOf({ lat, lon }: { readonly lat: number; readonly lon: number }, zoom: number): string {
  const size = 2 ** zoom
  const angle = (lat * Math.PI) / 180
  const column = Math.floor(((lon + 180) / 360) * size)
  const row = Math.floor(((1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2) * size)
  const within = (value: number): number => (Number.isNaN(value) ? size - 1 : Math.min(size - 1, Math.max(0, value)))
  return `${zoom}/${within(column)}/${lat >= 90 ? 0 : lat <= -90 ? size - 1 : within(row)}`
}

/** Compares a map with the counted expressions, feature by feature. */
export function expectMap(answer: MapAnswer, selection: Selection, all: Iterable<CountedExpression>): void {
  const fitting = [...all].map((expression) => [expression, matches(selection, expression)] as const)
  const inside = fitting.filter(([, how]) => how === 'in').map(([expression]) => expression)
  const unmapped = fitting.filter(([, how]) => how === 'unmapped').length
  const question = JSON.stringify([selection, answer.zoom])
  expect([answer.total, answer.unmapped], question).toEqual([inside.length + unmapped, unmapped])
  const shown = answer.clusters.reduce((sum, { count }) => sum + count, 0) + answer.points.length
  expect(shown + answer.unmapped, question).toBe(answer.total)

  const cells = Map.groupBy(inside, ({ position }) => (position === null ? '' : tileOf(position, answer.zoom + 3)))
  const several = [...cells].filter(([, list]) => list.length > 1)
  const single = [...cells.values()].filter(({ length }) => length === 1).flat()
  expect(answer.points.map(({ id }) => id).sort(), question).toEqual(single.map(({ id }) => id).sort())
  for (const { id, ...point } of answer.points) {
    const expression = single.find((each) => each.id === id) ?? expect.fail('a point too much')
    expect(point, question).toEqual({
      ...expression.position,
      domain: expression.domain,
      subDomain: expression.subDomain,
      sentiment: expression.sentiment,
      lang: expression.lang,
      createdAt: expression.createdAt,
      ...votesByValue(expression.votes.values()),
      unverified: votesByValue(expression.unverifiedVotes.values()),
    })
  }
  const counted = (id: string, list: readonly CountedExpression[]) => {
    const sentiment = (label: Sentiment): number => list.filter(({ sentiment }) => sentiment === label).length
    const domains = Map.groupBy(
      list.filter(({ domain }) => domain !== null),
      ({ domain }) => domain ?? '',
    )
    return {
      id,
      count: list.length,
      positive: sentiment('positive'),
      neutral: sentiment('neutral'),
      negative: sentiment('negative'),
      domains: [...domains].map(([domain, { length }]) => [domain, length]).sort(),
    }
  }
  const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)
  expect(
    answer.clusters
      .map(({ lat: _, lon: __, expansionZoom: ___, ...cluster }) => ({ ...cluster, domains: [...cluster.domains] }))
      .sort(byId),
    question,
  ).toEqual(several.map(([id, list]) => counted(id, list)).sort(byId))
  if (selection.domain ?? selection.sentiment ?? selection.lang ?? selection.from ?? selection.to) return
  for (const cluster of answer.clusters) {
    const list = cells.get(cluster.id) ?? []
    const mean = (of: 'lat' | 'lon'): number => list.reduce((sum, { position }) => sum + (position?.[of] ?? 0), 0) / list.length
    expect(cluster.lat, question).toBeCloseTo(mean('lat'), 4)
    expect(cluster.lon, question).toBeCloseTo(mean('lon'), 4)
  }
}

/** Random positions, many at edge cases: edges, poles, the antimeridian, equal positions. */
export function randomPosition({ chance, pick, next }: ReturnType<typeof randomOf>): { lat: number; lon: number } | null {
  if (chance(0.1)) return null
  const odd = [-180, 180, 0, 90, -90, 45, -45, 22.5, 85.0511, 85.06, -85.06, -85.0511, 179.9999999, -179.9999999, 66.51326]
  const lon = chance(0.2)
    ? pick(odd.filter((value) => Math.abs(value) > 90 || value % 45 === 0))
    : Math.round((next() * 360 - 180) * 1e5) / 1e5
  const lat = chance(0.2) ? pick(odd.filter((value) => Math.abs(value) <= 90)) : Math.round((next() * 180 - 90) * 1e5) / 1e5
  // many in one country, so that cells at deep zooms have several
  return chance(0.5) ? { lat: 12 + Math.round(next() * 100) / 100, lon: -2 + Math.round(next() * 100) / 100 } : { lat, lon }
}

export function randomSelection(random: ReturnType<typeof randomOf>): Selection {
  const { chance, pick, next } = random
  const maybe = <Value>(create: () => Value): Value | null => (chance(0.3) ? create() : null)
  const edge = (max: number): number =>
    chance(0.3) ? pick([-max, 0, max, max / 2, -max / 4]) : Math.round((next() * 2 - 1) * max * 1e4) / 1e4
  const lats = [edge(90), edge(90)].sort((a, b) => a - b)
  const near = { west: -2 + next() / 2, east: -1.5 + next() / 2, south: 12 + next() / 2, north: 12.5 + next() / 2 }
  const far = { west: edge(180), east: edge(180), south: lats[0] ?? 0, north: lats[1] ?? 0 }
  const day = (): number => dayOf(new Date(Date.UTC(2026, 8 + random.below(4), 1 + random.below(31))))
  const [from, to] = [maybe(day), maybe(day)]
  return {
    domain: maybe(() => pick(taxonomy).id),
    sentiment: maybe(() => pick(sentiments)),
    lang: maybe(() => pick(['fr', 'en', 'wo', 'ar'])),
    from: from !== null && to !== null ? Math.min(from, to) : from,
    to: from !== null && to !== null ? Math.max(from, to) : to,
    box: chance(0.7) ? pick([near, far, far]) : null,
  }
}
