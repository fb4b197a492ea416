import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

for (const engine of relationalEngines())
  it(`0041 sets future creation times of expressions to their receipt and announces them, on ${engine.name}`, async () => {
    await using opened = await openMigrated(engine)
    const rows = async (statement: string): Promise<unknown[]> => (await opened.database.pool.query(statement)).rows
    const migration = await readFile(join(projectFolder, 'schema/sql/0041-dates-ahead.sql'), 'utf8')
    await rows(`insert into event_topic (topic, position) values ('analytics', 7) on conflict (topic) do update set position = 7`)
    await rows(`insert into expression (id, source, text, lang, created_at, received_at, withdrawn_at, enrichment, revision)
      select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'api', 'text', 'fr', created::timestamptz, '2026-01-02T03:04:05.678Z', gone::timestamptz,
        '{"createdAt": "as sent", "revision": 4}', 'digest'
      from (values (1, '9998-01-01', null), (2, '2026-01-01', null), (3, '2999-01-01', '2026-02-01'), (4, '2999-01-01', null)) as e(n, created, gone)`)
    await rows(migration)
    const moved = { received: true, at: '2026-01-02T03:04:05.678Z', revision: '5' }
    expect(
      await rows(
        `select created_at = received_at as received, enrichment ->> 'createdAt' as at, enrichment ->> 'revision' as revision from expression order by id`,
      ),
    ).toEqual([moved, { received: false, at: 'as sent', revision: '4' }, moved, moved])
    expect(await rows(`select position, kind, right(id, 1) as id from event where topic = 'analytics' order by position`)).toEqual([
      { position: '8', kind: 'expression_updated', id: '1' },
      { position: '9', kind: 'expression_updated', id: '4' },
    ])
    expect(await rows(`select position from event_topic where topic = 'analytics'`)).toEqual([{ position: '9' }])
    await rows(migration)
    expect(await rows(`select position from event_topic where topic = 'analytics'`)).toEqual([{ position: '9' }])
  }, 120_000)
