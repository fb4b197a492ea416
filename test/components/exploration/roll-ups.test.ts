import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoundingBox, partsOfBoundingBox, wholeWorld } from '../../../foundation/filter/bounding-box.ts'
import { coverOf, zoomFor } from '../../../subgraphs/exploration/geometry/area.ts'
import { cellOfPlace, placeOf } from '../../../subgraphs/exploration/geometry/world-grid.ts'
import { domainCounts } from '../../../subgraphs/exploration/queries/domain-statistics.ts'
import { mapView } from '../../../subgraphs/exploration/queries/map-view.ts'
import { selectionOf } from '../../../subgraphs/exploration/queries/selection.ts'
import { statisticsOf } from '../../../subgraphs/exploration/queries/statistics.ts'
import { checkRollUps } from '../../../subgraphs/exploration/roll-ups/check-roll-ups.ts'
import { pack, unpack, unpackCounts } from '../../../subgraphs/exploration/roll-ups/packed-counts.ts'
import { rebuildRollUps } from '../../../subgraphs/exploration/roll-ups/rebuild-roll-ups.ts'
import { readState } from '../../../subgraphs/exploration/roll-ups/roll-up-state.ts'
import {
  anyNetwork,
  type CountedExpression,
  expectMap,
  matches,
  randomPosition,
  randomSelection,
  sentiments,
  voteFigures,
} from './counting.ts'
import { type ExplorationStore, expressionOf, noon, openExploring, randomOf, taxonomy } from './support.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1e9)
const random = randomOf(seed)
const { pick, chance, below } = random

it('removes the vote counts of voters of earlier days at the start, without a vote, and retains those of today', async () => {
  await using exploring = await openExploring()
  const { pool } = exploring.database
  await pool.query(`insert into public_voter_count (day, address, expression_id, voters)
    select day, decode(md5(day::text), 'hex'), null, 1 from unnest(array['2020-01-01', '2999-01-01']::date[]) as day`)
  await exploring.startWorker()
  await expect
    .poll(async () => (await pool.query(`select day::text from public_voter_count`)).rows, { timeout: 30_000 })
    .toEqual([{ day: '2999-01-01' }])
}, 120_000)

describe(`the roll-ups (seed ${seed})`, () => {
  let exploring: ExplorationStore
  const expressions = new Map<string, CountedExpression>()
  beforeAll(async () => {
    exploring = await openExploring()
    await exploring.startWorker()
  }, 120_000)
  afterAll(() => exploring?.[Symbol.asyncDispose]())

  const people = Array.from({ length: 30 }, (_, n) => n.toString(16).padStart(64, '0'))
  const randomExpression = (before?: CountedExpression): CountedExpression => {
    const subDomain = chance(0.7) ? pick(taxonomy.filter(({ parentId }) => parentId !== null)) : undefined
    const record = expressionOf({
      lang: pick(['fr', 'en', 'wo', 'ar', 'und']),
      author: chance(0.5) ? pick(people) : null,
      domain: subDomain?.parentId ?? (chance(0.5) ? pick(taxonomy.filter(({ parentId }) => parentId === null)).id : null),
      subDomain: subDomain?.id ?? null,
      sentiment: chance(0.8) ? pick(sentiments) : null,
      position: randomPosition(random),
      createdAt: new Date(noon - below(80) * 86_400_000 - below(12) * 3_600_000),
      ...(before && { id: before.id, createdAt: before.createdAt, receivedAt: before.receivedAt }),
    })
    return { ...record, votes: before?.votes ?? new Map(), unverifiedVotes: before?.unverifiedVotes ?? new Map() }
  }
  const save = async (list: readonly CountedExpression[]): Promise<void> => {
    await exploring.store.saveExpressions(list.map(({ votes: _, unverifiedVotes: __, ...record }) => record))
    for (const each of list) expressions.set(each.id, each)
  }
  const change = async (): Promise<void> => {
    const any = (): CountedExpression => pick([...expressions.values()])
    const dice = random.next()
    if (expressions.size === 0 || dice < 0.3) await save(Array.from({ length: 1 + below(60) }, () => randomExpression()))
    else if (dice < 0.5) await save([randomExpression(any())])
    else if (dice < 0.6) {
      const { id } = any()
      await exploring.store.withdrawExpression(id)
      expressions.delete(id)
    } else
      for (let n = below(5); n >= 0; n--) {
        const [voter, value, on] = [pick(people), pick(['agree', 'disagree', 'pass'] as const), any()]
        if (chance(0.4)) {
          const browser = voter.replace('0000', 'bbbb')
          // votes without a class become verified when their voter votes again
          if (on.unverifiedVotes.has(browser) && chance(0.3)) {
            await exploring.store.castVote(on.id, browser, value)
            on.unverifiedVotes.delete(browser)
            on.votes.set(browser, value)
          } else if (!on.votes.has(browser)) {
            await exploring.store.castPublicVote(on.id, browser, value, anyNetwork)
            on.unverifiedVotes.set(browser, value)
          }
          continue
        }
        await exploring.store.castVote(on.id, voter, value)
        on.votes.set(voter, value)
      }
  }
  const check = () => checkRollUps(exploring.engines, { signal: new AbortController().signal, onProgress: () => undefined })
  const noDrift = { pending: 0, differing: 0, zooms: [], domains: [] }
  const expectMaps = (count: number): Promise<void> =>
    exploring.rollUps.read(async (snapshot) => {
      for (let n = 0; n < count; n++) {
        const selection = randomSelection(random)
        expectMap(await mapView(snapshot, selection, chance(0.1) ? null : below(23)), selection, expressions.values())
      }
    })
  const expectStatistics = (count: number): Promise<void> =>
    exploring.rollUps.read(async (snapshot) => {
      for (let n = 0; n < count; n++) {
        const selection = { ...randomSelection(random), sentiment: null, lang: null }
        const answer = await statisticsOf(snapshot, selection)
        // without an area, expressions without a position count, too
        const list = [...expressions.values()].filter((each) => {
          const how = matches(selection, each)
          return how === 'in' || (how === 'unmapped' && selection.box === null)
        })
        const votes = list.flatMap((each) => [...each.votes.values()])
        const unverified = list.flatMap((each) => [...each.unverifiedVotes.values()])
        const sentiment = (label: string): number => list.filter(({ sentiment }) => sentiment === label).length
        const since = (days: number): number =>
          list.filter(({ createdAt }) => noon - createdAt.getTime() < days * 86_400_000 - 43_200_000).length
        const question = JSON.stringify(selection)
        expect(answer.expressions, question).toMatchObject({ total: list.length, today: since(1), last7d: since(7) })
        expect(Object.fromEntries(answer.expressions.byLang), question).toEqual(countsOf(list.map(({ lang }) => lang)))
        expect(answer.votes, question).toEqual({ ...voteFigures(votes), unverified: voteFigures(unverified) })
        expect(answer.sentiment, question).toMatchObject({
          positive: sentiment('positive'),
          neutral: sentiment('neutral'),
          negative: sentiment('negative'),
        })
        expect(Object.fromEntries(answer.sentiment.history.map(({ day, expressions }) => [day, expressions])), question).toEqual(
          countsOf(list.map(({ createdAt }) => createdAt.toISOString().slice(0, 10).replaceAll('-', ''))),
        )
        expect(answer.domains, question).toEqual({ total: 3, active: new Set(list.flatMap(({ domain }) => domain ?? [])).size })
        const isAll = selection.from === null && selection.to === null && selection.box === null
        expect(answer.participants, question).toBe(isAll ? participantsOf(list) : null)
      }
    })
  const expectDomains = (): Promise<void> =>
    exploring.rollUps.read(async (snapshot) => {
      const countsOfDomain = await domainCounts(snapshot)
      const classified = [...expressions.values()].filter(({ domain }) => domain !== null).length
      for (const { id } of taxonomy) {
        const list = [...expressions.values()].filter(({ domain, subDomain }) => domain === id || subDomain === id)
        expect(countsOfDomain(id), id).toMatchObject({
          expressions: list.length,
          votes: list.reduce((sum, { votes }) => sum + votes.size, 0),
          unverifiedVotes: voteFigures(list.flatMap(({ unverifiedVotes }) => [...unverifiedVotes.values()])),
          participants: participantsOf(list),
          share: classified === 0 ? 0 : Math.round((list.length / classified) * 1e4) / 1e4,
        })
      }
    })

  it('are exact after any sequence of expressions, corrections, withdrawals and votes, for any area, zoom and filter', async () => {
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 15; n++) await change()
      await exploring.settled()
      await expectMaps(25)
      await expectStatistics(12)
      await expectDomains()
    }
    expect(expressions.size).toBeGreaterThan(50)
  }, 120_000)

  it('are equal after a rebuild during writes', async () => {
    const rebuilt = rebuildRollUps(exploring.engines, { timezone: 'UTC', signal: new AbortController().signal, batch: 50 })
    for (let n = 0; n < 10; n++) await change()
    expect(await rebuilt).toBeGreaterThan(50)
    await exploring.settled()
    await expectMaps(25)
    await expectStatistics(12)
    await expectDomains()
  }, 120_000)

  it('are byte for byte the same after a rebuild as after each change', async () => {
    const tables = {
      roll_up_expression: '*',
      roll_up_cell: '*',
      roll_up_vote: '*',
      participant: '*',
      // what has no people, or no expressions, any more
      participant_count: '* from participant_count where count > 0 --',
      roll_up_key: '* from roll_up_key where id in (select key from roll_up_expression) --',
    }
    const contents = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
      const read = async ([table, columns]: readonly [string, string]) => {
        const { rows } = await exploring.database.pool.query<{ row: string }>(
          `select row_to_json(t)::text as row from (select ${columns} from ${table}\n) t order by 1`,
        )
        return [table, rows.map(({ row }) => row)] as const
      }
      return Object.fromEntries(await Promise.all(Object.entries(tables).map(read)))
    }
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 20; n++) await change()
      await exploring.settled()
      const changed = await contents()
      expect(changed.roll_up_cell?.length).toBeGreaterThan(1000)
      await rebuildRollUps(exploring.engines, { timezone: 'UTC', signal: new AbortController().signal, batch: 7 + below(100) })
      await exploring.settled()
      const rebuilt = await contents()
      for (const table of Object.keys(tables)) expect(rebuilt[table], table).toEqual(changed[table])
    }
    expect(await check()).toMatchObject(noDrift)
    const { rows } = await exploring.database.pool.query<{ definition: string }>(
      `select indexdef as definition from pg_indexes where schemaname = 'public' and tablename = 'roll_up_cell' order by indexname`,
    )
    expect(rows.map(({ definition }) => definition.replace(/^.* using /i, ''))).toEqual([
      expect.stringMatching(/^btree \(zoom, bucket, x, y\) WHERE/),
      'btree (zoom, bucket, y, x)',
    ])
  }, 120_000)

  it('continue where they stopped, are maintained by one of several workers, and are rebuilt behind a pruned change log', async () => {
    const second = await exploring.startWorker()
    for (let n = 0; n < 5; n++) await change()
    await exploring.settled()
    expect(await check()).toMatchObject({ compared: expressions.size, ...noDrift })
    await exploring.stopWorkers()
    await second.stop()
    for (let n = 0; n < 10; n++) await change()
    const { generation = 0 } = (await readState(exploring.database.orm)) ?? {}
    await exploring.forgetLog()
    await exploring.startWorker()
    await exploring.settled()
    expect((await readState(exploring.database.orm))?.generation).toBe(generation + 1)
    await expectMaps(10)
    await expectDomains()
    expect(await check()).toMatchObject(noDrift)
  }, 120_000)

  it('are rebuilt when an earlier release has counted votes without classes, and count old votes as unverified until their voters vote again', async () => {
    const { database, store } = exploring
    const record = expressionOf({ domain: 'energy', position: { lat: 1, lon: 1 } })
    await save([{ ...record, votes: new Map(), unverifiedVotes: new Map() }])
    await exploring.settled()
    await exploring.stopWorkers()
    // writes and counts a vote like an earlier release
    await database.pool.query(`insert into vote (expression_id, voter, value) values ($1, $2, 'agree')`, [record.id, Buffer.alloc(32, 9)])
    await database.pool.query(`insert into roll_up_vote (expression_id, voter, value) values ($1, $2, 'agree')`, [
      record.id,
      Buffer.alloc(32, 9),
    ])
    await database.pool.query('update roll_up_expression set agree = 1 where id = $1', [record.id])
    await database.pool.query('update roll_up set format = 1')
    const { generation = 0 } = (await readState(database.orm)) ?? {}
    await exploring.startWorker()
    await expect.poll(async () => (await readState(database.orm))?.generation, { timeout: 60_000 }).toBe(generation + 1)
    expressions.get(record.id)?.unverifiedVotes.set('09'.repeat(32), 'agree')
    await exploring.settled()
    await expectStatistics(10)
    await expectDomains()
    expect(await check()).toMatchObject(noDrift)
    await store.castVote(record.id, '09'.repeat(32), 'agree')
    expressions.get(record.id)?.unverifiedVotes.clear()
    expressions.get(record.id)?.votes.set('09'.repeat(32), 'agree')
    await exploring.settled()
    await expectStatistics(10)
    await expectMaps(10)
    await expectDomains()
    expect(await check()).toMatchObject(noDrift)
  }, 120_000)

  it('are compared with the store, and the comparison names each difference', async () => {
    const { database } = exploring
    const tampered = async (statement: string) => {
      const saved = await database.pool.connect()
      try {
        await saved.query('create table saved as select * from roll_up_cell')
        await saved.query(statement)
        return await check()
      } finally {
        await saved.query('truncate roll_up_cell; insert into roll_up_cell select * from saved; drop table saved')
        saved.release()
      }
    }
    expect(
      await tampered('delete from roll_up_cell where zoom = 4 and bucket = 0 and x = (select max(x) from roll_up_cell where zoom = 4)'),
    ).toMatchObject({
      zooms: [4],
    })
    expect(await tampered("update roll_up_cell set lon = lon + 1 where zoom = 9 and bucket > 0 and counts <> ''")).toMatchObject({
      zooms: [9],
    })
    expect(
      await tampered('update roll_up_cell set votes = unverified_votes, unverified_votes = votes where zoom = 0 and bucket = 0'),
    ).toMatchObject({ zooms: [0] })
    expect(await check()).toMatchObject(noDrift)
    const [any] = expressions.values()
    await database.pool.query(`update expression set domain = 'energy', sub_domain = 'energy/one', lang = 'xx' where id = '${any?.id}'`)
    expect(await check()).toMatchObject({ differing: 1, zooms: [], domains: [] })
    await rebuildRollUps(exploring.engines, { timezone: 'UTC', signal: new AbortController().signal })
    expect(await check()).toMatchObject(noDrift)
    await database.pool.query('update participant set uses = uses + 1 where domain = $1', ['health'])
    expect(await check()).toMatchObject({ domains: ['health'] })
    await rebuildRollUps(exploring.engines, { timezone: 'UTC', signal: new AbortController().signal })
    if (any !== undefined) expressions.set(any.id, { ...any, domain: 'energy', subDomain: 'energy/one', lang: 'xx' })
    await exploring.settled()
  }, 120_000)

  it('have another version after a change, and only then', async () => {
    const versionNow = (): Promise<string> => exploring.rollUps.read(async ({ version }) => version)
    const first = await versionNow()
    expect(await versionNow()).toBe(first)
    const [any] = expressions.values()
    const { votes: _, unverifiedVotes: __, ...record } = any ?? expect.fail('there is no expression')
    // the same expression again
    await exploring.store.saveExpressions([record])
    await exploring.settled()
    expect(await versionNow()).toBe(first)
    await save([randomExpression()])
    await exploring.settled()
    expect(await versionNow()).not.toBe(first)
  })

  it('refuse invalid arguments with their names', async () => {
    const refused: readonly (readonly [string, Parameters<typeof selectionOf>[0]])[] = [
      ['from', { from: '2026-11-22', to: '2026-11-21' }],
      ['from', { from: '2026-02-30' }],
      ['to', { to: 'yesterday' }],
      ['lang', { lang: 'x'.repeat(10_000) }],
      ['box', { box: { west: 0, east: 1, south: 2, north: 1 } }],
      ['box', { box: { west: -181, east: 1, south: 0, north: 1 } }],
      ['box', { box: { west: 0, east: Number.NaN, south: 0, north: 1 } }],
    ]
    for (const [name, filter] of refused) expect(() => selectionOf(filter), name).toThrow(new RegExp(`^${name}:`))
    await expect(exploring.rollUps.read((snapshot) => mapView(snapshot, selectionOf({ domain: 'x'.repeat(10_000) }), 3))).rejects.toThrow(
      /^domain:/,
    )
  })
})

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Number of participants: authors and verified voters are counted separately. */
function participantsOf(list: readonly CountedExpression[]): number {
  const people = list.flatMap(({ author, votes }) => [...(author === null ? [] : [author]), ...votes.keys()])
  return new Set(people).size
}

describe('the world in cells', () => {
  it('pack numbers as text and unpack them', () => {
    const rows = Array.from({ length: 500 }, (_, n) => [n * 7 + below(7), below(2 ** 31), 0, 31, 32])
    const boxes: number[][] = []
    unpack(pack(rows), 5, (row) => boxes.push([...row]))
    expect(boxes).toEqual(rows)
    const pairs: number[][] = []
    unpackCounts(pack(rows.map(([key = 0, count = 0]) => [key, count])), (key, count) => pairs.push([key, count]))
    expect(pairs).toEqual(rows.map(([key, count]) => [key, count]))
  })

  it('return the column and row of a position', () => {
    for (let n = 0; n < 1000; n++) {
      const [column, row] = [below(2 ** 26), below(2 ** 26)]
      expect(cellOfPlace(placeOf(column, row))).toEqual([column, row])
    }
  })

  it('cover every box with few cells and few positions to check', () => {
    for (let n = 0; n < 300; n++) {
      const { box } = { ...randomSelection(random) }
      const area: BoundingBox = box ?? wholeWorld
      const zoom = zoomFor(area, below(23))
      const { cells, edges } = coverOf(area, zoom)
      const inZoom = cells
        .filter((range) => range.zoom === zoom)
        .reduce((sum, { left, right, top, bottom }) => sum + (right - left + 1) * (bottom - top + 1), 0)
      expect(inZoom).toBeLessThanOrEqual(64 * 64)
      expect(edges.length).toBeLessThan(5000)
      expect(partsOfBoundingBox(area).length).toBeLessThanOrEqual(2)
    }
    expect(zoomFor(wholeWorld)).toBe(3)
  })
})
