import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { clearRedis, realPostgres, realRedis, relationalEngines } from '../support/engines/engines.ts'
import type { Component, System } from '../support/processes/platform.ts'
import { cleanEnvironment, startProcess } from '../support/processes/platform-process.ts'
import { buildRelease, isInClone, previousRelease } from '../support/processes/previous-release.ts'
import { startSystem } from '../support/processes/start-system.ts'

const release = await previousRelease()
const missing = [
  ...(realPostgres() === undefined || realRedis() === undefined ? ['DATABASE_URL and REDIS_URL'] : []),
  ...(isInClone(release) ? [] : [`commit ${release.commit} in the clone`]),
]

/** Not an image: the job is accepted and ends with an error, without loading the models. */
const job = {
  document_type: 'PASSPORT',
  country_code: 'SN',
  selfie_b64: '?',
  cni_recto_b64: '?',
  declared_identity: { first_name: 'Awa', last_name: 'Diop' },
}

/** Posts jobs and expressions to each running system in turn, and records what was acknowledged. */
class Load {
  readonly jobs: string[] = []
  readonly expressions: string[] = []
  readonly unexpected: string[] = []
  readonly systems = new Set<System>()
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  /** Acknowledged requests of each system since it was added. */
  readonly acknowledgedCounts = new Map<System, number>()

  constructor() {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Waits until each running system has acknowledged `more` additional requests. */
  async acknowledge(more: number): Promise<void> {
    const from = new Map(this.acknowledgedCounts)
    await expect
      .poll(() => Math.min(...[...this.systems].map((each) => (this.acknowledgedCounts.get(each) ?? 0) - (from.get(each) ?? 0))), {
        timeout: 200_000,
      })
      .toBeGreaterThanOrEqual(more)
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await Promise.all([...this.systems].map((system) => this.#both(system)))
      await sleep(20)
    }
  }

  async #both(system: System): Promise<void> {
    const word = randomUUID()
    const key = { 'x-service-api-key': system.apiKey }
    const [submitted, expression] = await Promise.all([
      this.#post(system, 'verification', '/jobs/submit', { ...job, citizen_code: word }, key),
      this.#post(system, 'classification', '/api/v1/expressions', { text: 'Le bus est toujours en retard', external_id: word }),
    ])
    if (submitted !== undefined) this.jobs.push(String(submitted.job_id))
    if (expression !== undefined) this.expressions.push(word)
    if (submitted !== undefined && expression !== undefined)
      this.acknowledgedCounts.set(system, (this.acknowledgedCounts.get(system) ?? 0) + 1)
  }

  /** @returns the acknowledged body; undefined after a refusal or when the process has ended */
  async #post(system: System, component: Component, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    const response = await fetch(system.rest[component] + path, { ...request, signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response === undefined || text === undefined || response.status === 503) return undefined
    if (!response.ok) this.unexpected.push(`${path}: ${response.status} ${text}`)
    return response.ok ? (JSON.parse(text) as Record<string, unknown>) : undefined
  }
}

describe.skipIf(missing.length > 0)(
  `release ${release.release} beside this one${missing.map((each) => ` (needs ${each})`).join('')}`,
  () => {
    it('loses and duplicates nothing while each is started and stopped beside the other, on the schema of this release', {
      timeout: 900_000,
    }, async () => {
      await using open = new AsyncDisposableStack()
      const { main } = open.use(await buildRelease(release))
      const engine = relationalEngines().find(({ name }) => name === 'real PostgreSQL')
      if (engine === undefined) throw new Error('there is no real PostgreSQL')
      const { url } = open.use(await engine.open())
      const prefix = `releases-${randomBytes(6).toString('hex')}`
      open.defer(() => clearRedis(prefix))
      const key = (): string => randomBytes(32).toString('base64')
      const env = {
        DATABASE_URL: url,
        REDIS_URL: realRedis() ?? '',
        REDIS_PREFIX: prefix,
        VAULT_KEY: key(),
        PRINCIPAL_SIGNING_KEY: key(),
        PSEUDONYM_KEY: key(),
        EXPRESSION_KEY: key(),
      }
      const start = async (options: { readonly main?: string; readonly env: Readonly<Record<string, string>> }): Promise<System> =>
        open.use(await startSystem({ components: ['verification', 'classification'], ...options }))
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
      open.defer(() => client.end())
      const load = new Load()
      open.defer(() => load.stop())
      const migrate = async (...words: readonly string[]): Promise<{ code: number | string; output: string }> => {
        const command = startProcess(['migrate', ...words], { ...cleanEnvironment(), ...env })
        return { code: await command.exited, output: command.output() }
      }
      const add = async (started: Promise<System>): Promise<System> => {
        const system = await started
        load.systems.add(system)
        return system
      }
      const end = async (system: System): Promise<void> => {
        load.systems.delete(system)
        await system.stop()
      }

      let previous = await add(start({ main, env }))
      await load.acknowledge(5)
      expect((await migrate('status')).code).toBe(1)
      expect(await migrate('apply')).toMatchObject({ code: 0 })
      expect(await migrate('status')).toMatchObject({ code: 0 })
      let present = await add(start({ env: { ...env, MIGRATE: 'off' } }))
      await load.acknowledge(10)
      await end(previous)
      await load.acknowledge(10)
      previous = await add(start({ main, env }))
      await load.acknowledge(10)
      await end(present)
      await load.acknowledge(10)
      present = await add(start({ env: { ...env, MIGRATE: 'off' } }))
      await load.acknowledge(5)
      await load.stop()

      const rows = async (statement: string) => (await client.query<{ id: string; n: number }>(statement)).rows
      const written = async (): Promise<ReadonlyMap<string, number>> =>
        new Map((await rows('select external_id as id, count(*)::int as n from expression group by 1')).map(({ id, n }) => [id, n]))
      await expect
        .poll(async () => (await written().then((all) => load.expressions.filter((id) => !all.has(id)))).length, { timeout: 120_000 })
        .toBe(0)
      const announced = async (): Promise<ReadonlyMap<string, number>> =>
        new Map(
          (await rows("select id, count(*)::int as n from event where topic = 'verification' group by id")).map(({ id, n }) => [id, n]),
        )
      await expect
        .poll(async () => (await announced().then((all) => load.jobs.filter((id) => !all.has(id)))).length, { timeout: 120_000 })
        .toBe(0)
      expect([...(await written()).values()].filter((n) => n !== 1)).toEqual([])
      expect([...(await announced()).values()].filter((n) => n !== 1)).toEqual([])
      expect(load.unexpected).toEqual([])
      process.stdout.write(`acknowledged: ${load.jobs.length} jobs, ${load.expressions.length} expressions; lost 0, doubled 0\n`)
    })
  },
)
