import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { realElasticsearch, realPostgres, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { closedAfterEach } from '../../support/run/closed-after-each.ts'
import { Citizen, eventually, eventuallySays, search } from '../../support/samples/citizen.ts'

const open = closedAfterEach()

const control = process.env.ENGINE_CTL
if (control === undefined || [realElasticsearch(), realPostgres(), realRedis()].includes(undefined))
  skippedWithout('ELASTICSEARCH_URL, DATABASE_URL, REDIS_URL and ENGINE_CTL', 'Elasticsearch, Redis and PostgreSQL are killed')
else
  describe('Elasticsearch, Redis and PostgreSQL are killed in turn', () => {
    const run = promisify(execFile)

    it('the store and the index have every accepted expression at the end, and equally many', { timeout: 300_000 }, async () => {
      const system = await startSystem({
        layout: 'split',
        engines: 'real',
        components: ['exploration', 'classification', 'administration'],
      })
      open.push(system)
      // also after a failure: other tests use these engines, and the platform's data is removed afterwards
      open.push({ [Symbol.asyncDispose]: async () => void (await run(control, ['up', 'elasticsearch', 'redis', 'postgres'])) })
      const { ELASTICSEARCH_URL: elasticsearch = '', ELASTICSEARCH_PREFIX: prefix, DATABASE_URL: databaseUrl } = system.env
      const citizen = new Citizen(system)
      await eventually(async () => expect(await citizen.post()).toBe(201))
      const indexed = async (): Promise<number> => {
        const answer = await fetch(`${elasticsearch}/${prefix}-expressions-*/_count`, { signal: AbortSignal.timeout(60_000) })
        return ((await answer.json()) as { count: number }).count
      }
      const stored = async (): Promise<readonly string[]> => {
        const client = new pg.Client({ connectionString: databaseUrl })
        client.on('error', () => undefined)
        await client.connect()
        try {
          return (await client.query<{ id: string }>('select id from expression')).rows.map(({ id }) => id)
        } finally {
          await client.end()
        }
      }
      await citizen.while(3, async () => {
        await sleep(1000)
        const before = citizen.accepted.size
        await run(control, ['kill', 'elasticsearch'])
        await eventually(async () => expect(await citizen.health('classification')).toMatchObject({ status: 'degraded' }))
        await eventually(async () =>
          expect(await citizen.health('exploration')).toMatchObject({
            status: 'degraded',
            checks: { search_index: { status: 'down', engine: 'elasticsearch' } },
          }),
        )
        expect(await citizen.hitCount('robinet')).toBeUndefined()
        await eventually(async () => expect([...citizen.accepted.values()].slice(before)).toContain('pending'))
        await run(control, ['up', 'elasticsearch'])
        await eventually(async () => expect(await citizen.health('classification')).toMatchObject({ status: 'ok' }))
        for (const engine of ['redis', 'postgres']) {
          await run(control, ['kill', engine])
          await sleep(1500)
          await run(control, ['up', engine])
          await eventually(async () => expect(await citizen.post()).toBe(201))
        }
      })
      await eventually(async () => {
        const ids = await stored()
        expect([...citizen.accepted.keys()].filter((id) => !new Set(ids).has(id))).toEqual([])
        expect(await indexed()).toBe(ids.length)
      })
      expect([...citizen.refused.keys()].filter((status) => ![0, 503].includes(status))).toEqual([])
      await eventuallySays(async () => expect(await search(system, 'check')).toMatchObject({ code: 0 }))
      await eventually(async () => expect(await citizen.health('exploration')).toMatchObject({ status: 'ok' }))
    })
  })
