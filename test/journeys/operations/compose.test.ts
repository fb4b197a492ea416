import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realCassandra, realEngines } from '../../support/engines/engines.ts'
import { type ComposedPlatform, type ComposedService, openComposed, type SendRequest } from '../../support/processes/composed-platform.ts'
import { canContain } from '../../support/processes/container.ts'
import { stopProcess } from '../../support/processes/platform-process.ts'
import { hasPrometheus, openPrometheus } from '../../support/processes/prometheus.ts'
import { runsHere } from '../../support/processes/runs-here.ts'
import { jobOf } from '../../support/samples/people.ts'

const [engines, cassandra] = [realEngines(), realCassandra()]
const hasHaproxy = await runsHere('haproxy', '-v')
const isScraped = await hasPrometheus()
const missing = [
  ...(engines?.elasticsearch === undefined ? ['DATABASE_URL, REDIS_URL and ELASTICSEARCH_URL'] : []),
  ...(cassandra === undefined ? ['CASSANDRA_CONTACT_POINTS'] : []),
  ...(hasHaproxy ? [] : ['haproxy']),
  ...((await runsHere('psql', '--version')) ? [] : ['psql']),
  ...((await canContain()) ? [] : ['the right to mount']),
]

const dashboards = new URL('../../../deploy/grafana/dashboards/', import.meta.url)
/** Metrics that only failures produce, and those of reviews, which the compose file does not enable. */
const absentMetrics = /ALERTS|civigraph_(?:pipeline_step_failure_causes_total|shed_requests_total|reviews_\w+)/
interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
const panels = globSync('*.json', { cwd: dashboards }).flatMap(
  (file) => (JSON.parse(readFileSync(new URL(file, dashboards), 'utf8')) as { readonly panels: readonly Panel[] }).panels,
)

describe.skipIf(missing.length > 0)(`the compose file${missing.map((each) => ` (needs ${each})`).join('')}`, () => {
  let platform: ComposedPlatform
  let services: ReadonlyMap<string, ComposedService>
  let send: SendRequest
  const reply = async (...words: Parameters<SendRequest>) => {
    const { status, text } = await send(...words)
    return { status, body: JSON.parse(text) }
  }
  const post = () => reply(4003, '/api/v1/expressions', { text: 'Le bus est toujours en retard' })
  beforeAll(async () => {
    if (engines?.elasticsearch === undefined || cassandra === undefined) throw new Error('there are no such engines')
    platform = await openComposed({ ...engines, elasticsearch: engines.elasticsearch, cassandra })
    await platform.command()
    services = await platform.up()
    send = await platform.balancer()
  }, 240_000)
  afterAll(() => platform[Symbol.asyncDispose]())

  it('runs a working platform behind its balancer, each service with its environment on a read-only root', {
    timeout: 400_000,
  }, async () => {
    expect([...services.keys()]).toEqual(['gateway', 'rest', 'subgraphs', 'worker-verification', 'workers'])
    for (const { isHealthy } of services.values()) await expect.poll(isHealthy, { timeout: 200_000, interval: 500 }).toBe(true)
    for (let port = 4000; port <= 4005; port++)
      await expect.poll(() => reply(port, '/health').then(({ body }) => body.status, String)).toBe('ok')

    const email = 'you@example.org'
    const [, password] = /password: (\S+)/.exec(await platform.command('admin', 'create', email, '--role', 'super_admin')) ?? []
    const [, key = ''] = /X-Service-API-Key: (\S+)/.exec(await platform.command('keys', 'create', 'municipality')) ?? []
    const asService = { 'x-service-api-key': key }
    const { body: job } = await reply(4001, '/jobs/submit', await jobOf(7), asService)
    const { body: expression } = await post()
    const { body: session } = await reply(4004, '/auth/login', { email, password })
    const asPerson = { authorization: `Bearer ${session.access_token}` }
    const { body: node } = await reply(4005, '/api/v1/admin/nodes', { title: 'Budget', content: 'What is planned' }, asPerson)
    expect(await send(4005, `/api/v1/nodes/${node.id}/pdf`)).toMatchObject({ status: 200, text: expect.stringMatching(/^%PDF/) })
    await expect
      .poll(async () =>
        (await reply(4001, '/jobs/results', undefined, asService)).body.results.map((each: { job_id: string }) => each.job_id),
      )
      .toEqual([job.job_id])
    const query = '{ searchExpressions(input: { text: "bus" }, first: 1) { edges { node { id } } } }'
    await expect
      .poll(async () => (await reply(4000, '/graphql', { query })).body.data.searchExpressions.edges)
      .toEqual([{ node: { id: expression.id } }])
    expect(await platform.command('doctor')).toMatch(/ 0 wrong/)
    for (const { output } of services.values()) expect(output()).not.toMatch(/EROFS|EACCES|read-only file system/i)
  })

  it.skipIf(!isScraped)('has data for each panel of the dashboards', { timeout: 200_000 }, async () => {
    await using prometheus = await openPrometheus([...services.values()].map(({ metrics }) => metrics))
    const socket = new WebSocket(`ws://${services.get('gateway')?.metrics.replace(/\d+$/, '4000')}/graphql`, 'graphql-transport-ws')
    const listening = new AbortController()
    const subscription = { query: 'subscription { expressionAdded { seq } }' }
    const stream = send(4000, '/graphql', subscription, { accept: 'text/event-stream' }, listening.signal).catch(() => undefined)
    let rounds = 0
    /** Sends some requests of each kind, including refused ones and newly planned operations. */
    const load = async (): Promise<void> => {
      await post()
      await reply(4000, '/graphql', { query: `query Mine { me { id } round${rounds++}: __typename }` })
      await reply(4004, '/auth/login', { email: 'unknown@example.org', password: 'wrong' })
    }
    const empty = async (): Promise<readonly string[]> => {
      await load()
      const emptyPanels = panels.flatMap(({ title, targets = [] }) =>
        targets.map(async ({ expr }) => {
          const query = expr.replaceAll('$__rate_interval', '30s').replaceAll('$instance', '.*')
          return (await prometheus.series(query)) === 0 && !absentMetrics.test(expr) ? [`${title}: ${expr}`] : []
        }),
      )
      return (await Promise.all(emptyPanels)).flat()
    }
    await expect.poll(empty, { timeout: 60_000, interval: 1000 }).toEqual([])
    socket.close()
    listening.abort()
    await stream
  })

  it('stops within the grace period of each container', { timeout: 60_000 }, async () => {
    for (const service of services.values()) expect(await stopProcess(service), service.output()).toBe(0)
  })
})
