import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

for (const engine of relationalEngines())
  it(`0083 counts the votes of earlier releases, and starts its topics above every position, on ${engine.name}`, async () => {
    await using opened = await openMigrated(engine)
    const rows = async (statement: string): Promise<unknown[]> => (await opened.database.pool.query(statement)).rows
    const migration = await readFile(join(projectFolder, 'schema/sql/0083-vote-log.sql'), 'utf8')
    const undo = async (): Promise<void> => {
      await rows('drop function count_votes cascade')
      await rows('drop table vote_count')
      await rows('alter table event drop column detail')
      await rows('alter table roll_up drop column votes_position')
    }
    const id = '00000000-0000-4000-8000-000000000001'
    const topics = () => rows('select topic, position from event_topic order by topic')

    // an empty database stays empty
    await undo()
    await rows(migration)
    expect([await topics(), await rows('select * from event_cursor')]).toEqual([[], []])

    await undo()
    await rows(`insert into event_topic (topic, position) values ('analytics', 700), ('exploration', 900), ('verification', 5000000)`)
    await rows(
      `insert into roll_up (generation, position, version, changed_at, timezone, taxonomy) values (3, 690, 688, now(), 'UTC', '[]')`,
    )
    await rows(`insert into expression (id, source, text, lang, created_at, received_at, enrichment, revision)
      values ('${id}', 'api', 'text', 'fr', now(), now(), '{}', 'digest')`)
    await rows(`insert into vote (expression_id, voter, value, verified) select '${id}', decode(lpad(n::text, 64, '0'), 'hex'),
      (array['agree', 'disagree', 'pass'])[1 + n % 3], n < 5 from generate_series(0, 9) n`)
    await rows(migration)
    expect(await topics()).toEqual([
      { topic: 'analytics', position: '700' },
      { topic: 'exploration', position: '900' },
      { topic: 'statistics', position: '1000900' },
      { topic: 'verification', position: '5000000' },
      { topic: 'votes', position: '1000900' },
    ])
    // votes are retained until they are counted; the version of the figures is as before
    expect(await rows(`select topic, follower, position from event_cursor`)).toEqual([
      { topic: 'votes', follower: 'exploration', position: '1000900' },
    ])
    expect(await rows('select position, version, votes_position from roll_up')).toEqual([
      { position: '690', version: '688', votes_position: '1000900' },
    ])
    const counts = { expression_id: id, agree: 2, disagree: 2, pass: 1, unverified_agree: 2, unverified_disagree: 1, unverified_pass: 2 }
    expect(await rows('select * from vote_count')).toEqual([counts])

    // a process of an earlier release adds, changes and deletes votes
    const cast = (voter: string, value: string) =>
      rows(`insert into vote (expression_id, voter, value) values ('${id}', decode(lpad('${voter}', 64, '0'), 'hex'), '${value}')
        on conflict (expression_id, voter) do update set value = excluded.value, verified = excluded.verified`)
    await cast('77', 'pass')
    await cast('0', 'pass')
    await rows(`delete from vote where voter = decode(lpad('1', 64, '0'), 'hex')`)
    expect(await rows('select * from vote_count')).toEqual([{ ...counts, agree: 1, disagree: 1, unverified_pass: 4 }])
  }, 120_000)
