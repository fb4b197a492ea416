import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { realElasticsearch, realPostgres, realRedis, skippedWithout } from '../support/engines.ts'
import { type System, startProcess, startSystem } from '../support/start-system.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

interface Health {
  readonly status: string
  readonly checks: Readonly<Record<string, { readonly status: string; readonly engine: string; readonly drift?: number }>>
}

/** A client of components B and C. */
class Citizen {
  readonly #system: System
  /** ids of what was answered with 201, by what the answer said of it */
  readonly accepted = new Map<string, string>()
  /** how often it was answered otherwise, by status */
  readonly refused = new Map<number, number>()
  #n = 0

  constructor(system: System) {
    this.#system = system
  }

  async say(): Promise<number> {
    const n = ++this.#n
    const response = await fetch(`${this.#system.rest.classification}/api/v1/expressions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `Le robinet numéro ${n} ne coule plus`, source: 'journey', external_id: `x-${n}` }),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => undefined)
    const body = response?.status === 201 ? ((await response.json()) as { id: string; status: string }) : undefined
    if (body !== undefined) this.accepted.set(body.id, body.status)
    else this.refused.set(response?.status ?? 0, (this.refused.get(response?.status ?? 0) ?? 0) + 1)
    return response?.status ?? 0
  }

  /** Says something all the time, in as many voices, until `work` has ended. */
  async while<Result>(voices: number, work: () => Promise<Result>): Promise<Result> {
    let talking = true
    const speak = async (): Promise<void> => {
      while (talking) if ((await this.say()) !== 201) await sleep(50)
    }
    const speaking = Array.from({ length: voices }, speak)
    try {
      return await work()
    } finally {
      talking = false
      await Promise.all(speaking)
    }
  }

  async found(text: string): Promise<number | undefined> {
    const response = await fetch(this.#system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'query ($text: String!) { searchExpressions(input: {text: $text, mode: HYBRID}) { nodes { id } } }',
        variables: { text },
      }),
      signal: AbortSignal.timeout(20_000),
    })
    const { data } = (await response.json()) as { data: { searchExpressions: { nodes: unknown[] } } | null }
    return data?.searchExpressions.nodes.length
  }

  async health(component: 'classification' | 'exploration'): Promise<Health> {
    return (await (await fetch(`${this.#system.rest[component]}/health`, { signal: AbortSignal.timeout(10_000) })).json()) as Health
  }
}

const eventually = async (expectation: () => Promise<void>, limitMs = 60_000): Promise<void> => {
  for (const until = Date.now() + limitMs; ; await sleep(250))
    try {
      return await expectation()
    } catch (error) {
      if (Date.now() > until) throw error
    }
}

/** `npm run search -- …` beside the platform. */
async function search(system: System, verb: string): Promise<{ readonly code: number | string; readonly output: string }> {
  const command = startProcess(['search', verb], system.env)
  return { code: await command.exited, output: command.output() }
}

describe('a search index that is lost', () => {
  it('is filled again beside a running platform, and built anew by command with answers all the while', { timeout: 180_000 }, async () => {
    const system = await startSystem()
    open.push(system)
    const citizen = new Citizen(system)
    for (let n = 0; n < 40; n++) expect(await citizen.say()).toBe(201)
    await eventually(async () => expect((await search(system, 'check')).output).toMatch(/compared 40 .* 0 missing, 0 stale, 0 extra/))

    await rm(join(system.dataDir, 'search-index'), { recursive: true, force: true, maxRetries: 10 })
    await eventually(async () => expect((await search(system, 'check')).code).toBe(0))
    expect(await citizen.found('robinet numéro 7')).toBeGreaterThan(0)

    let asked = 0
    const rebuilt = await citizen.while(1, async () => {
      const command = search(system, 'rebuild')
      let done = false
      void command.then(() => (done = true))
      for (; !done; asked++) expect(await citizen.found('robinet numéro 7')).toBeGreaterThan(0)
      return command
    })
    expect(rebuilt).toMatchObject({ code: 0, output: expect.stringContaining('built anew') })
    expect(asked).toBeGreaterThan(3)
    await eventually(async () => expect((await search(system, 'check')).output).toMatch(`compared ${citizen.accepted.size} `))
    expect((await search(system, 'check')).code).toBe(0)
    for (const component of ['classification', 'exploration'] as const)
      await eventually(async () =>
        expect(await citizen.health(component)).toMatchObject({
          status: 'ok',
          checks: { search_index: { status: 'ok', engine: 'lancedb', drift: 0 } },
        }),
      )
    // the check by command reports at once, the metrics with the next comparison of the platform itself
    await eventually(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${Number(new URL(system.graphqlUrl).port) + 9}/metrics`)).text()
      expect(metrics).toMatch(/^civigraph_search_index_mended_total\{kind="missing"\} [1-9]/m)
      expect(metrics).toMatch(/^civigraph_search_index_drift\{kind="missing"\} 0$/m)
      expect(metrics).toMatch(/^civigraph_exploration_search_index_drift 0$/m)
    })
    expect(await search(system, 'mend')).toMatchObject({ code: 1, output: expect.stringContaining('npm run search -- check') })
  })
})

const control = process.env.ENGINE_CTL
if (control === undefined || [realElasticsearch(), realPostgres(), realRedis()].includes(undefined))
  skippedWithout('ELASTICSEARCH_URL, DATABASE_URL, REDIS_URL and ENGINE_CTL', 'Elasticsearch, Redis and PostgreSQL are killed')
else
  describe('Elasticsearch, Redis and PostgreSQL are killed in turn', () => {
    const run = promisify(execFile)

    it('what was accepted is in the store and in the index at the end, and in equal numbers', { timeout: 300_000 }, async () => {
      const system = await startSystem({ layout: 'split', engines: 'real' })
      open.push(system)
      const { ELASTICSEARCH_URL: elasticsearch = '', ELASTICSEARCH_PREFIX: prefix, DATABASE_URL: databaseUrl } = system.env
      const citizen = new Citizen(system)
      await eventually(async () => expect(await citizen.say()).toBe(201))
      const indexed = async (): Promise<number> => {
        const answer = await fetch(`${elasticsearch}/${prefix}-expressions-*/_count`, { signal: AbortSignal.timeout(5000) })
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
        expect(await citizen.health('exploration')).toMatchObject({
          status: 'degraded',
          checks: { search_index: { status: 'down', engine: 'elasticsearch' } },
        })
        expect(await citizen.found('robinet')).toBeUndefined()
        await sleep(1000)
        await run(control, ['up', 'elasticsearch'])
        expect(citizen.accepted.size).toBeGreaterThan(before)
        expect([...citizen.accepted.values()]).toContain('pending')
        await eventually(async () => expect(await citizen.health('classification')).toMatchObject({ status: 'ok' }))
        for (const engine of ['redis', 'postgres']) {
          await run(control, ['kill', engine])
          await sleep(1500)
          await run(control, ['up', engine])
          await eventually(async () => expect(await citizen.say()).toBe(201))
        }
      })
      await eventually(async () => {
        const ids = await stored()
        expect([...citizen.accepted.keys()].filter((id) => !new Set(ids).has(id))).toEqual([])
        expect(await indexed()).toBe(ids.length)
      })
      expect([...citizen.refused.keys()].filter((status) => ![0, 503].includes(status))).toEqual([])
      await eventually(async () => expect(await search(system, 'check')).toMatchObject({ code: 0 }))
      expect(await citizen.health('exploration')).toMatchObject({ status: 'ok' })
    })
  })
