import { globSync, readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const deploy = new URL('../../../deploy/', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, deploy), 'utf8')

/** Returns the metrics named in the sources, and those of the Node.js process. */
function emittedMetrics(): ReadonlySet<string> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'civigraph_' })
  const sources = globSync('{gateway,subgraphs,engines,foundation,rest-adapters,platform}/**/*.ts', { cwd: new URL('../', deploy) })
  const ours = sources.flatMap((file) => readFileSync(new URL(file, new URL('../', deploy)), 'utf8').match(/civigraph_[a-z0-9_]+/g) ?? [])
  const emitted = new Set([...ours, ...registry.getMetricsAsArray().map(({ name }) => name)])
  registry.clear()
  return emitted
}

const metricsIn = (expressions: readonly string[]): readonly string[] =>
  expressions.flatMap((expr) => expr.match(/civigraph_[a-z0-9_]+/g) ?? []).map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))

/** Returns whether an expression is valid PromQL, whatever its metrics. */
function isPromQl(expr: string): boolean {
  const unread: string[] = []
  parser.parse(expr).iterate({ enter: ({ type, from }) => void (type.isError && unread.push(expr.slice(from))) })
  return unread.length === 0
}

const Source = z.strictObject({ type: z.literal('prometheus'), uid: z.string() })
const Target = z.strictObject({ refId: z.string(), expr: z.string(), legendFormat: z.string().optional(), datasource: Source })
const place = { id: z.int(), title: z.string(), gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }) }
/** A Grafana unit (`fieldConfig.defaults.unit`): the id of a value format, or a custom unit. */
const Unit = z.union([z.enum(['short', 'none', 's', 'ms', 'bytes', 'percent', 'percentunit', 'reqps', 'ops']), z.literal('suffix:/s')])
const Override = z.strictObject({
  matcher: z.strictObject({ id: z.literal('byName'), options: z.string() }),
  properties: z.array(z.strictObject({ id: z.string(), value: z.string() })),
})
const Panel = z.discriminatedUnion('type', [
  z.strictObject({ ...place, type: z.literal('row'), collapsed: z.boolean(), panels: z.tuple([]) }),
  z.strictObject({
    ...place,
    type: z.literal('timeseries'),
    description: z.string(),
    datasource: Source,
    fieldConfig: z.strictObject({
      defaults: z.looseObject({ unit: Unit, custom: z.looseObject({ axisSoftMax: z.number().optional() }).optional() }),
      overrides: z.array(Override),
    }),
    targets: z.array(Target).min(1),
    options: z.looseObject({ legend: z.looseObject({ placement: z.enum(['bottom', 'right']) }) }),
  }),
])
const Dashboard = z.looseObject({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.int(),
  templating: z.object({
    list: z.array(
      z.looseObject({ name: z.string(), type: z.literal('query'), datasource: Source, query: z.object({ query: z.string() }) }),
    ),
  }),
  panels: z.array(Panel),
})
const Provisioned = z.object({ datasources: z.array(z.looseObject({ uid: z.string(), type: z.string() })) })

describe('the dashboards', () => {
  const dashboards = globSync('grafana/dashboards/*.json', { cwd: deploy }).map((file) => Dashboard.parse(JSON.parse(textOf(file))))
  const graphs = dashboards.flatMap(({ panels }) => panels.filter((panel) => panel.type === 'timeseries'))
  const targets = graphs.flatMap((panel) => panel.targets)

  it('query only emitted metrics', () => {
    const emitted = emittedMetrics()
    const queried = metricsIn(targets.map(({ expr }) => expr))
    expect(queried.length).toBeGreaterThan(40)
    expect(queried.filter((name) => !emitted.has(name))).toEqual([])
  })

  it('have a unique id for each panel', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(3)
    for (const { panels } of dashboards) expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  it('query the data source that Grafana is provisioned with', () => {
    const { datasources } = Provisioned.parse(parse(textOf('grafana/provisioning/datasources/prometheus.yml')))
    const provisioned = datasources.map(({ type, uid }) => ({ type, uid }))
    const variables = dashboards.flatMap(({ templating }) => templating.list)
    for (const { datasource } of [...graphs, ...targets, ...variables]) expect(provisioned).toContainEqual(datasource)
  })

  it('declare the variables they use, and contain only valid PromQL', () => {
    expect(isPromQl('sum by (a (rate(b[5m])')).toBe(false)
    for (const { templating, panels } of dashboards) {
      const values = new Map([['__rate_interval', '5m'], ...templating.list.map(({ name }) => [name, 'any'] as const)])
      for (const { query } of templating.list.map((variable) => variable.query)) {
        const [, selector = ''] = /^label_values\((.+), \w+\)$/.exec(query) ?? []
        expect([query, isPromQl(selector)]).toEqual([query, true])
      }
      for (const { expr } of panels.flatMap((panel) => (panel.type === 'timeseries' ? panel.targets : []))) {
        const substituted = expr.replaceAll(/\$(\w+)/g, (all, name: string) => values.get(name) ?? all)
        expect([expr, substituted.includes('$'), isPromQl(substituted)]).toEqual([expr, false, true])
      }
    }
  })

  it('name series by labels that their expressions keep', () => {
    for (const { expr, legendFormat = '' } of targets) {
      const named = [...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label = '']) => label)
      const joined = [...expr.matchAll(/group_left \((\w+)\)/g)].map(([, label = '']) => label)
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))
      // an expression without aggregation keeps all labels, including `instance`
      const available = [...(grouped.length === 0 ? ['instance'] : grouped), ...joined]
      const missing = named.filter((label) => !available.includes(label))
      expect([expr, missing]).toEqual([expr, []])
    }
  })

  it('use each of their variables', () => {
    for (const { title, templating, panels } of dashboards) {
      const expressions = panels.flatMap((panel) => (panel.type === 'timeseries' ? panel.targets : [])).map(({ expr }) => expr)
      const unused = templating.list.filter(({ name }) => !expressions.some((expr) => expr.includes(`$${name}`))).map(({ name }) => name)
      expect([title, unused]).toEqual([title, []])
    }
  })

  it('have unique panel titles', () => {
    for (const { panels } of dashboards) expect(panels.map(({ title }) => title)).toEqual([...new Set(panels.map(({ title }) => title))])
  })

  it('have room for a legend with many series', () => {
    const many = graphs.filter(({ targets }) =>
      targets.some(({ legendFormat = '' }) => /{{(?:listener|route|operation|instance)}}/.test(legendFormat)),
    )
    expect(many.length).toBeGreaterThan(10)
    expect(many.filter(({ gridPos, options }) => gridPos.w < 12 || options.legend.placement !== 'right').map(({ title }) => title)).toEqual(
      [],
    )
  })

  it('scale the axis of a share to a few percent when the share is 0', () => {
    const shares = graphs.filter(({ fieldConfig }) => fieldConfig.defaults.unit === 'percentunit')
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.filter(({ fieldConfig }) => (fieldConfig.defaults.custom?.axisSoftMax ?? 100) > 0.1)).toEqual([])
  })

  it('give a series with another unit its own axis, matched by the series name', () => {
    const others = graphs.flatMap(({ fieldConfig, targets: panelTargets }) =>
      fieldConfig.overrides.map(({ matcher, properties }) => ({ matcher, properties, panelTargets })),
    )
    expect(others.length).toBeGreaterThan(0)
    for (const { matcher, properties, panelTargets } of others) {
      expect(properties).toContainEqual({ id: 'custom.axisPlacement', value: 'right' })
      // the states of jobs are values of the platform
      if (!panelTargets.some(({ legendFormat }) => legendFormat === '{{state}}'))
        expect(panelTargets.map(({ legendFormat }) => legendFormat)).toContain(matcher.options)
    }
  })

  it('place their panels side by side within the 24 columns of a page', () => {
    for (const { panels } of dashboards) {
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, n) => ({ x: x + (n % w), y: y + Math.floor(n / w) })),
      )
      expect(cells.filter(({ x }) => x < 0 || x >= 24)).toEqual([])
      expect(new Set(cells.map(({ x, y }) => `${x} ${y}`)).size).toBe(cells.length)
    }
  })
})

describe('the alerts', () => {
  const Rules = z.object({ groups: z.array(z.object({ rules: z.array(z.looseObject({ alert: z.string(), expr: z.string() })) })) })
  const rules = Rules.parse(parse(textOf('prometheus/alerts.yml'))).groups.flatMap((group) => group.rules)

  it('are valid PromQL', () => {
    expect(rules.map(({ expr }) => expr).filter((expr) => !isPromQl(expr))).toEqual([])
  })

  it('query only emitted metrics', () => {
    const emitted = emittedMetrics()
    const queried = metricsIn(rules.map(({ expr }) => expr))
    expect(queried.length).toBeGreaterThan(10)
    expect(queried.filter((name) => !emitted.has(name))).toEqual([])
    const codes = rules.flatMap(({ expr }) => expr.match(/\b[A-Z]{4,}(?:_[A-Z]+)*\b/g) ?? [])
    const errors = readFileSync(new URL('../docs/errors.md', deploy), 'utf8')
    const settings = readFileSync(new URL('../docs/settings.md', deploy), 'utf8')
    expect(codes.filter((code) => !errors.includes(`\`${code}\``) && !settings.includes(`| \`${code}\``))).toEqual([])
  })

  it('each have a section that states the response', () => {
    const page = readFileSync(new URL('../docs/operations/alerts.md', deploy), 'utf8')
    expect([...page.matchAll(/^## (Civigraph\w+)$/gm)].map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert))
  })
})
