import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buffer } from 'node:stream/consumers'
import { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { createEmbeddedIssuer } from '../../../engines/identity/embedded-issuer.ts'
import { oidcIdentityProvider } from '../../../engines/identity/oidc-identity-provider.ts'
import { ServiceKeys } from '../../../engines/identity/service-keys/service-keys.ts'
import { readPublicKeys } from '../../../engines/identity/signing-keys.ts'
import { createTokenVerifier } from '../../../engines/identity/token-verifier.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { embeddedPostgres } from '../../../engines/relational/embedded-postgres.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { compose } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { createExecutor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { serviceKeyList } from '../../../platform/components/administration.ts'
import { restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'
import { createAdministration } from '../../../subgraphs/administration/index.ts'
import { wholeSchema } from '../../support/engines/schema.ts'
import type { Benchmark, Variant } from '../support/harness.ts'

const rows = 1_000_000
/** each statement also enters its citizens into the register, within the time limit of a statement */
const chunk = 10_000
const requests = 100
const logins = 6
const password = 'a password for measuring'

/** Component D over HTTP with its issuer, on an embedded PostgreSQL with a million delegations; client and server share this process. */
export const administration: Benchmark = {
  name: 'administration',
  about: `REST of component D, ${requests} requests one after another, ${rows.toLocaleString('en')} delegations in 20 groups; milliseconds`,
  target:
    '/auth/me p99 under 5; first page of /delegations under 20; a total under other filters 150; known and unknown accounts refused in the same time',
  rounds: 3,
  async start(print) {
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-bench-'))
    const embedded = embeddedPostgres({ dataDir, log: silentLog })
    const database = openDatabase({ name: 'bench', url: () => embedded.url(), poolSize: 10, log: silentLog })
    const config = parseConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }, dataDir)
    const { embeddedIssuerUrl: url, client, audience, claims } = config.identity
    const keyValue = memoryKeyValue()
    const clock = systemClock
    const issuer = createEmbeddedIssuer({ url, client, audience, database, keyValue, vaultKey: new Uint8Array(32), clock, log: silentLog })
    const engines = compose('engines', [embedded, database, wholeSchema(database), issuer])
    await engines.start(AbortSignal.timeout(60_000))

    const from = performance.now()
    for (let first = 0; first < rows; first += chunk) await fill(database.pool, first)
    await database.pool.query('analyze delegation')
    print(
      `${rows} delegations written in ${Math.round((performance.now() - from) / 1000)} s, with indexes, counters, history and the register of citizens`,
    )

    const { accounts } = issuer
    await accounts.create({ email: 'super@bench.test', password, roles: ['super_admin'], groups: [] })
    await accounts.create({ email: 'group@bench.test', password, roles: ['group_admin'], groups: ['group-3', 'group-7', 'group-19'] })
    const identity = oidcIdentityProvider(issuer.transport, client)
    const verifier = createTokenVerifier({ issuer: url, audience, claims, readKeys: () => readPublicKeys(database), clock })
    const broker = { engine: 'none', oldestAgeMs: async () => 0, newer: () => 0, dead: async () => 0 }
    const pseudonyms = new CitizenPseudonyms(randomBytes(32))
    const serviceKeys = serviceKeyList(new ServiceKeys(database, new Uint8Array(32), []), [])
    const subgraph = await createAdministration(
      { database, keyValue, identity, verifier, accounts, clock, pseudonyms, broker, serviceKeys, domainPath: async (id) => [id] },
      '1.0.0',
    )
    const executor = createExecutor({
      supergraph: composeSupergraph([{ name: 'administration', sdl: subgraph.sdl }]),
      sources: { administration: inProcessSource(subgraph) },
      eventTimeoutMs: 1000,
    })
    const authentication = createAuthentication({ apiKeys: [], tokenVerifier: verifier })
    const routes = routesOf('administration', config)
    const rest = restServer({ component: 'administration', routes, executor, authentication, config, log: silentLog, port: 0 })
    await rest.start(AbortSignal.timeout(10_000))

    const simulate = async (variables: Readonly<Record<string, unknown>>): Promise<number> => {
      const text = `query ($maxWeight: Int, $changes: String) {
        delegationSimulation(domainId: "health", scope: "vote", maxWeight: $maxWeight, changes: $changes) { figures { cast } weights { totalCount } }
      }`
      const user = { issuer: 'bench', subject: 'bench', roles: ['super_admin'], groups: [], expiresAt: 4e9 }
      const disconnected = new AbortController().signal
      using context = requestContext({ principal: { user }, requestId: 'bench', log: silentLog, timeoutMs: 60_000, disconnected })
      const startedAt = performance.now()
      const { errors } = await executor.execute(executor.prepare(text), variables, context)
      if (errors !== undefined && errors.length > 0) throw new Error(`the simulation failed: ${errors[0]?.message}`)
      return performance.now() - startedAt
    }
    const residentMb = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20)
    const before = residentMb()
    const first = await simulate({ maxWeight: 1000 })
    const next = []
    for (let maxWeight = 1; maxWeight <= 5; maxWeight++) next.push(Math.round(await simulate({ maxWeight })))
    print(
      `delegationSimulation: the first ${Math.round(first)} ms with reading all delegations, other scenarios ${next.join(', ')} ms, resident memory ${before} to ${residentMb()} MB`,
    )
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const filed = []
    for (let shift = 1; shift <= 5; shift++) filed.push(Math.round(await simulate({ changes: fileOfChanges(shift) })))
    delay.disable()
    print(
      `… with 100,000 changes in a file ${filed.join(', ')} ms, the event loop held for at most ${Math.round(delay.max / 1e6)} ms, resident memory ${residentMb()} MB`,
    )

    const agent = new Agent({ keepAlive: true })
    const signal = AbortSignal.timeout(3_600_000)
    const tokenOf = async (email: string) => (await identity.login({ email, password }, signal)).accessToken
    let users = 0
    const stop = async (): Promise<void> => {
      users -= 1
      if (users > 0) return
      agent.destroy()
      await rest.stop()
      await engines.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
    const variant = (name: string, path: string, email: string): Variant => {
      users += 1
      return {
        name,
        async measure() {
          // a token expires after five minutes
          const token = await tokenOf(email)
          await get(agent, rest.address + path, token)
          return percentiles(await times(requests, () => get(agent, rest.address + path, token)))
        },
        stop,
      }
    }
    const login = (name: string, email: string): Variant => {
      users += 1
      const attempt = () =>
        identity.login({ email, password: 'wrong' }, signal).then(
          () => undefined,
          () => undefined,
        )
      return { name, measure: async () => percentiles(await times(logins, attempt)), stop }
    }
    return [
      variant('/auth/me', '/auth/me', 'super@bench.test'),
      variant('/delegations, first page', '/delegations', 'super@bench.test'),
      variant('/delegations, three groups of a group_admin', '/delegations', 'group@bench.test'),
      variant('/delegations?status=active&group=group-5', '/delegations?status=active&group=group-5', 'super@bench.test'),
      variant('/delegations?domain=health (counted)', '/delegations?domain=health', 'super@bench.test'),
      variant('/delegations?delegator=C-777', '/delegations?delegator=C-777', 'super@bench.test'),
      variant('/delegations?page=25000 (offset 499,980)', '/delegations?page=25000', 'super@bench.test'),
      login('login refused, known account', 'super@bench.test'),
      login('login refused, unknown account', 'unknown@bench.test'),
    ]
  },
}

/** A file that assumes a delegation for every second citizen. */
function fileOfChanges(shift: number): string {
  const lines = Array.from({ length: 100_000 }, (_, n) => `add,C-${2 * n},C-${(14 * n + 2 * shift + 1) % 200_000}`)
  return ['change,code,delegate', ...lines].join('\n')
}

function fill(pool: { query(text: string, values: unknown[]): Promise<unknown> }, first: number): Promise<unknown> {
  const text = `insert into delegation (id, delegator_code, delegate_code, group_id, domain, scope, status, starts_at, ends_at, created_at, updated_at, revised_at, source)
    select 'd-' || n, 'C-' || n % 200000, 'C-' || (n * 7 + 1) % 200000, 'group-' || n % 20,
      (array['health','education','transport','energy','security','justice-rights','agriculture-food',null])[1 + n % 8], 'vote',
      (array['active','active','active','pending','revoked','expired'])[1 + n % 6],
      now() - interval '1 day', null, now() - n * interval '1 second', now(), now(), 'bench'
    from generate_series($1::int, $2::int) as n`
  return pool.query(text, [first, first + chunk - 1])
}

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  for (let done = 0; done < count; done += 1) {
    const from = performance.now()
    await work()
    durations.push(performance.now() - from)
  }
  return durations
}

function percentiles(durations: readonly number[]): Readonly<Record<string, number>> {
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), min: at(0), max: at(1) }
}

function get(agent: Agent, url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      buffer(answer).then((body) => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode} ${body}`))), reject)
    })
      .once('error', reject)
      .end()
  })
}
