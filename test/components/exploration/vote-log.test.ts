import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type AnalyticsStore, analyticsTopic, type VoteValue, votesTopic } from '../../../engines/analytics-store/analytics-store.ts'
import { voteChangeIn } from '../../../engines/analytics-store/countable-expressions.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { selectionOf } from '../../../subgraphs/exploration/queries/selection.ts'
import { statisticsOf } from '../../../subgraphs/exploration/queries/statistics.ts'
import { checkRollUps } from '../../../subgraphs/exploration/roll-ups/check-roll-ups.ts'
import { rebuildRollUps } from '../../../subgraphs/exploration/roll-ups/rebuild-roll-ups.ts'
import { statisticsTopic } from '../../../subgraphs/exploration/roll-ups/roll-up-state.ts'
import { anyNetwork } from './counting.ts'
import { type ExplorationStore, expressionOf, openExploring, randomOf, taxonomy } from './support.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1e9)
const { pick, chance, below } = randomOf(seed)
const values = ['agree', 'disagree', 'pass'] as const
const noDrift = { pending: 0, differing: 0, zooms: [], domains: [] }
const voters = Array.from({ length: 12 }, (_, n) => n.toString(16).padStart(64, '0'))

/** Numbers of votes by expression and class as stored, and as the rows say. */
const storedAndActual = (exploring: ExplorationStore) =>
  Promise.all(
    [
      `select expression_id as id, agree, disagree, pass, unverified_agree, unverified_disagree, unverified_pass from vote_count
       where agree + disagree + pass + unverified_agree + unverified_disagree + unverified_pass > 0 order by 1`,
      `select expression_id as id, ${[true, false]
        .flatMap((verified) => values.map((value) => [verified ? value : `unverified_${value}`, value, verified] as const))
        .map(([name, value, verified]) => `(count(*) filter (where value = '${value}' and verified = ${verified}))::int as ${name}`)
        .join(', ')} from vote group by 1 order by 1`,
    ].map(async (statement) => (await exploring.database.pool.query(statement)).rows),
  )

/** A version of the figures, and the bytes of an answer of it. */
const answerOf = (exploring: ExplorationStore): Promise<readonly [string, string]> =>
  exploring.rollUps.read(async (snapshot) => {
    const { at: _, ...answer } = await statisticsOf(snapshot, selectionOf({}))
    return [snapshot.version, JSON.stringify(answer)]
  })

describe(`votes under random interleavings and crashes (seed ${seed})`, () => {
  it('are counted once, in stored counts, figures and versions, by whichever process casts them', async () => {
    await using exploring = await openExploring()
    const { database, feed } = exploring
    await exploring.startWorker()
    // as many processes as stores, with groups of their own
    const stores: readonly AnalyticsStore[] = [exploring.store, postgresAnalyticsStore(exploring), postgresAnalyticsStore(exploring)]
    const placed = () => {
      const { id, parentId } = pick(taxonomy)
      return { domain: parentId ?? id, subDomain: parentId === null ? null : id, position: chance(0.8) ? { lat: 1, lon: below(9) } : null }
    }
    const records = Array.from({ length: 6 }, () => expressionOf(placed()))
    const { id: hot } = records[0] ?? expect.fail()
    await exploring.store.saveExpressions(records)
    const withdrawn = new Set<string>()
    const anyId = () => (chance(0.5) ? hot : pick(records).id)
    const seen = new Map<string, string>()
    const failures: unknown[] = []
    /** A vote as a process of an earlier release casts it. */
    const castAsBefore = (id: string, voter: string, value: VoteValue) =>
      database.transaction(async (tx) => {
        const { rowCount } = await tx.execute(`insert into vote (expression_id, voter, value, verified)
          select '${id}', decode('${voter}', 'hex'), '${value}', true from (select 1 from expression where id = '${id}' and withdrawn_at is null for share) e
          on conflict (expression_id, voter) do update set value = excluded.value, verified = true`)
        if (rowCount === 1) await feed.append(tx, analyticsTopic, [{ kind: 'expression_voted', id }])
      })
    const step = async (): Promise<void> => {
      const [dice, store, voter] = [below(100), pick(stores), pick(voters)]
      if (dice < 55) await store.castVote(anyId(), voter, pick(values))
      else if (dice < 70) await store.castPublicVote(anyId(), voter.replace('0000', 'bbbb'), pick(values), anyNetwork)
      else if (dice < 78) await castAsBefore(anyId(), voter, pick(values))
      else if (dice < 84) await store.deleteVotesOf([voter], 3, async () => undefined)
      else if (dice < 92) {
        const record = pick(records)
        await store.saveExpressions([{ ...record, ...placed(), enrichment: { revision: below(1000) } }])
      } else if (dice < 94) {
        const { id } = pick(records.slice(3))
        await store.withdrawExpression(id)
        withdrawn.add(id)
      } else if (dice < 96) await feed.prune()
      else if (dice < 98)
        await rebuildRollUps(exploring.engines, { timezone: 'UTC', signal: new AbortController().signal, batch: 2 }).catch(() => 0)
      // a process or its connection dies in the middle of what it does
      else
        await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() order by random() limit 2`)
      const [version, answer] = await answerOf(exploring)
      expect(seen.get(version) ?? answer, version).toBe(answer)
      seen.set(version, answer)
    }
    const actor = async (): Promise<void> => {
      for (let count = 0; count < 40; count++) await step().catch((error: unknown) => failures.push(error))
    }
    const restarts = (async () => {
      for (let count = 0; count < 3; count++) {
        await sleep(400)
        await exploring.stopWorkers()
        await exploring.startWorker()
      }
    })()
    await Promise.all([...Array.from({ length: 6 }, actor), restarts])
    // terminated connections are failures of the engine and nothing else
    for (const error of failures) expect(String(error)).toMatch(/database|terminat|connection|outcome/i)
    await exploring.settled()

    expect(await checkRollUps(exploring.engines, { signal: new AbortController().signal, onProgress: () => undefined })).toMatchObject(
      noDrift,
    )
    const [stored, actual] = await storedAndActual(exploring)
    expect(stored).toEqual(actual)
    expect(actual?.some(({ id }) => withdrawn.has(id))).toBe(false)
    // the positions of each log have no gaps
    for (const topic of [votesTopic, statisticsTopic]) {
      const { rows } = await database.pool.query(
        `select count(*) = max(position) - min(position) + 1 as dense, max(position) = (select position from event_topic where topic = $1) as last
         from event where topic = $1`,
        [topic],
      )
      expect(rows, topic).toEqual([{ dense: true, last: true }])
    }
    // pseudonyms of voters do not remain in the log
    await feed.prune()
    expect((await database.pool.query('select detail from event where detail is not null')).rows).toEqual([])
  }, 120_000)

  it('are written by one transaction for all that gather, with the old and the new value, and one result for each caller', async () => {
    await using exploring = await openExploring()
    const { database, feed, store } = exploring
    const { signal } = new AbortController()
    const record = expressionOf({})
    await store.saveExpressions([record])
    await store.castVote(record.id, voters[0] ?? '', 'agree')
    const from = await feed.position(votesTopic, signal)
    const results = await Promise.allSettled([
      // is written at once; the others gather meanwhile
      store.castVote(record.id, voters[1] ?? '', 'pass'),
      store.castVote(record.id, voters[0] ?? '', 'disagree'),
      store.castVote(record.id, voters[2] ?? '', 'agree'),
      store.castVote('01a1fccb-6590-71e3-b283-3202c7bea47f', voters[2] ?? '', 'agree'),
      store.castVote(record.id, voters[3] ?? '', 'agree'),
      store.castVote(record.id, voters[3] ?? '', 'pass'),
      store.castPublicVote(record.id, 'bb'.repeat(32), 'agree', { ...anyNetwork, perDay: 1 }),
      store.castPublicVote(record.id, 'cc'.repeat(32), 'agree', { ...anyNetwork, perDay: 1 }),
    ])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).toEqual([
      ...[true, true, true, false, true, true, true],
      'RATE_LIMITED',
    ])
    const details = await database.transaction((tx) => feed.detailsOf(tx, votesTopic, from, from + 100))
    expect(details.map(({ detail }) => voteChangeIn(detail ?? expect.fail()))).toEqual([
      { voter: voters[1], from: null, to: 'pass', wasVerified: null, isVerified: true },
      { voter: voters[0], from: 'agree', to: 'disagree', wasVerified: true, isVerified: true },
      { voter: voters[2], from: null, to: 'agree', wasVerified: null, isVerified: true },
      { voter: voters[3], from: null, to: 'pass', wasVerified: null, isVerified: true },
      { voter: 'bb'.repeat(32), from: null, to: 'agree', wasVerified: null, isVerified: false },
    ])
    const { rows } = await database.pool.query(
      'select count(distinct xmin::text)::int as transactions from event where topic = $1 and position > $2',
      [votesTopic, from],
    )
    expect(rows).toEqual([{ transactions: 2 }])
    expect(await store.countVotes([record.id])).toEqual(
      new Map([[record.id, { agree: 1, disagree: 1, pass: 2, unverified: { agree: 1, disagree: 0, pass: 0 } }]]),
    )
  }, 60_000)
})
