import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  components,
  drawnLayers,
  gatewayLayers,
  importsIn,
  importsOf,
  innerProblem,
  layeredFolders,
  layerOf,
  layerProblem,
  mutualFolders,
  sources,
} from './support/run/layers.ts'

const project = new URL('../', import.meta.url).pathname
const product = sources.filter((file) => !/^(?:test|packages|docs|deploy)\//.test(file))

/** One sentence for each import that breaks a rule. */
const problems = (rule: (file: string, imported: string) => string | false | undefined): readonly string[] =>
  sources.flatMap((file) => importsOf(file).flatMap((imported) => rule(file, imported) || []))

/** Import cycles, each once, from the file at which the search closed it. */
function cycles(): readonly string[] {
  const done = new Set<string>()
  const path: string[] = []
  const cycles: string[] = []
  const visit = (file: string): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file) || path.includes(file)) return
    path.push(file)
    for (const imported of importsOf(file)) visit(imported)
    path.pop()
    done.add(file)
  }
  for (const file of sources) visit(file)
  return cycles
}

/** Imports that exist at run time, as written; Biome refuses `import { type X }` without a value. */
const loadedNames = (file: string): readonly string[] =>
  [
    ...readFileSync(join(project, file), 'utf8').matchAll(
      /^(?:import(?! type\b)(?: [^'"]*? from)?|export (?:\*|\{)[^'"]*? from) '([^']+)'/gm,
    ),
  ].map(([, name = '']) => name)

/** The files and packages that a process loads with these files, without their `import()`. */
function loadedWith(entries: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>()
  const visit = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    if (!name.endsWith('.ts')) return
    for (const imported of loadedNames(name)) visit(imported.startsWith('.') ? join(dirname(name), imported) : imported)
  }
  for (const entry of entries) visit(entry)
  return loaded
}

describe('a process', () => {
  it('that serves only the gateway loads no component and no package that only components use', () => {
    const loaded = loadedWith([
      'platform/main.ts',
      'platform/start.ts',
      'platform/start-supergraph-gateway.ts',
      'platform/listeners/client-listeners.ts',
      'gateway/package/listener-gateway.ts',
    ])
    expect([...loaded]).toEqual(expect.arrayContaining(['gateway/package/civigraph-gateway.ts', '@apollo/gateway']))
    const unwanted = /^subgraphs\/(?!nodes\/)|^(?:oidc-provider|eld|onnxruntime-node|tesseract\.js|sharp|@lancedb\/lancedb)$/
    expect([...loaded].filter((name) => unwanted.test(name))).toEqual([])
  })
})

describe('the layers inside components and REST adapters', () => {
  it('cover every component', () =>
    expect(layeredFolders).toEqual(expect.arrayContaining([...components, 'subgraphs/nodes', 'rest-adapters'])))

  it('import downwards only', () => expect(problems(innerProblem)).toEqual([]))

  it('have no two folders that import each other', () => expect(mutualFolders(product)).toEqual([]))

  it.each([
    [
      'subgraphs/verification/jobs/process-job.ts',
      'subgraphs/verification/review/tables.ts',
      'jobs of subgraphs/verification may import only itself, intake, assessment',
    ],
    [
      'subgraphs/content/tree/read-tree.ts',
      'subgraphs/content/graphql/node.type.ts',
      'tree of subgraphs/content may import only itself, tenant.ts, vocabulary.ts',
    ],
    [
      'subgraphs/exploration/tables.ts',
      'subgraphs/exploration/index.ts',
      'tables.ts of subgraphs/exploration may import nothing besides itself',
    ],
    ['rest-adapters/json/echo.ts', 'rest-adapters/response/respond.ts', 'json of rest-adapters may import nothing besides itself'],
    ['subgraphs/content/reader/read.ts', 'subgraphs/content/tree/read-tree.ts', 'add reader to innerLayers'],
  ])('refuse %s, which imports %s, by naming the rule', (file, imported, rule) => {
    const problem = innerProblem(file, imported) ?? ''
    expect(problem).toMatch(/^[^\n]+\.$/)
    expect(problem).toContain(file)
    expect(problem).toContain(rule)
  })

  it('name both imports of a pair of folders', () => {
    const imports: Readonly<Record<string, readonly string[]>> = {
      'subgraphs/content/tree/place.ts': ['subgraphs/content/tree/views/view.ts'],
      'subgraphs/content/tree/views/view.ts': ['subgraphs/content/tree/node.ts'],
    }
    const [problem, ...others] = mutualFolders(Object.keys(imports), (file) => imports[file] ?? [])
    expect(others).toEqual([])
    for (const path of [...Object.entries(imports)].flat(2)) expect(problem).toContain(path)
  })
})

describe('the layers', () => {
  it('cover every source file', () => {
    expect(sources.length).toBeGreaterThan(1000)
    for (const top of ['packages/civigraph-client/', 'packages/civigraph-gateway/', 'test/support/', 'web/console/', 'engines/'])
      expect(sources.some((file) => file.startsWith(top))).toBe(true)
  })

  it('import only layers below them', () => expect(problems(layerProblem)).toEqual([]))

  it('have no import cycle, type imports included', () => expect(cycles()).toEqual([]))

  /** Replaces PATH by the quoted path; a literal import here would count as an import of this file. */
  const withPath = (text: string, path: string): string => text.replace('PATH', `'${path}'`)

  it.each([
    ['import type { Config } from PATH', '../../foundation/config/config.ts', 'foundation/config/config.ts'],
    ['export type * from PATH', '../../gateway/server/gateway-server.ts', 'gateway/server/gateway-server.ts'],
    ['type Server = import(PATH).GatewayServer', '../../gateway/server/gateway-server.ts', 'gateway/server/gateway-server.ts'],
    ['export { entityTag } from PATH', '../../foundation/http/content.ts', 'foundation/http/content.ts'],
    ['const routes = await import(PATH)', '../../rest-adapters/routes.ts', 'rest-adapters/routes.ts'],
    ['import PATH', '../../platform/main.ts', 'platform/main.ts'],
    ['import { serve } from PATH', 'civigraph-gateway', 'packages/civigraph-gateway'],
  ])('find the import in %s', (text, path, imported) => {
    const file = 'web/console/console.tsx'
    expect(importsIn(file, withPath(text, path))).toEqual([imported])
    expect(layerProblem(file, imported)).toBe(
      `${file} imports ${imported}, but web/console may import only itself, web/shared, web/components, packages/civigraph-client.`,
    )
  })

  it.each([
    ['web/console/main.tsx', '@civigraph/client/rest'],
    ['web/console/page.ts', '../../foundation/http/content.ts'],
    ['rest-adapters/routes.ts', '../web/console/page.ts'],
    ['test/unit/web/page.test.ts', '../../../platform/main.ts'],
  ])('allow %s to import %s', (file, path) => {
    const [imported = ''] = importsIn(file, withPath('import { value } from PATH', path))
    expect(layerProblem(file, imported)).toBeUndefined()
  })

  it.each([
    ['packages/civigraph-gateway/build.ts', 'web/serving/built-files.ts', 'packages/civigraph-gateway may import only itself, foundation'],
    ['packages/civigraph-client/src/index.ts', 'foundation/fault.ts', 'packages/civigraph-client may import nothing besides itself'],
    ['engines/relational/session.ts', 'subgraphs/content/index.ts', 'engines may import only itself, foundation'],
    ['gateway/errors/refusal.ts', 'platform/main.ts', 'gateway/errors may import only itself, foundation'],
    ['gateway/caching/entity-cache.ts', 'gateway/executor/executor.ts', 'gateway/caching may import only itself, gateway/sources, '],
    [
      'gateway/planning/query-plans.ts',
      'gateway/admission/operation-cost.ts',
      'gateway/planning may import only itself, gateway/caching, ',
    ],
    ['gateway/executor.ts', 'foundation/fault.ts', 'belongs to no layer'],
    ['rest-adapters/routes.ts', 'gateway/planning/query-plans.ts', 'only itself, gateway/executor, gateway/errors, web/serving, '],
    ['platform/listeners/gateway-listener.ts', 'web/landing/facts.ts', 'platform may import only itself, rest-adapters'],
    ['test/unit/one.test.ts', 'test/unit/other.test.ts', 'no test file is imported'],
    ['tools/run.ts', 'foundation/fault.ts', 'belongs to no layer'],
  ])('refuse the import in %s of %s and name the rule', (file, imported, rule) => {
    const problem = layerProblem(file, imported) ?? ''
    expect(problem).toMatch(/^[^\n]+\.$/)
    expect(problem).toContain(file)
    expect(problem).toContain(rule)
  })

  it('import a component only through its index and its data about citizens, and its commands folder only from platform/commands', () => {
    const entries = /^subgraphs\/[^/]+\/(?:(?:index|citizen-data)\.ts$|commands\/)/
    expect(
      problems((file, imported) => {
        const component = layerOf(imported)
        if (component === undefined || !components.includes(component) || layerOf(file) === component || layerOf(file) === 'test')
          return false
        if (entries.test(imported) && (!imported.includes('/commands/') || file.startsWith('platform/commands/'))) return false
        return `${file} imports ${imported}, but other layers import only index.ts and citizen-data.ts of a component, and platform/commands/ its commands/.`
      }),
    ).toEqual([])
  })

  it('inside the gateway are those that its README draws', () => {
    const readme = readFileSync(join(project, 'gateway/README.md'), 'utf8')
    const [, drawing = ''] = /^## Layers\n.*?^```\n(.*?)^```$/ms.exec(readme) ?? []
    expect(drawnLayers(drawing)).toEqual(gatewayLayers)
  })

  it('keep the adapters of different components independent', () => {
    const adapterOf = (file: string): string | undefined =>
      components.map((name) => name.replace('subgraphs', 'rest-adapters')).find((folder) => file.startsWith(`${folder}/`))
    expect(
      problems((file, imported) => {
        const [from, to] = [adapterOf(file), adapterOf(imported)]
        return (
          from !== undefined && to !== undefined && from !== to && `${file} imports ${imported}, but adapters do not import each other.`
        )
      }),
    ).toEqual([])
  })

  it('load Drizzle in one place as CommonJS, because its ES modules cost each process 250 MB', () => {
    const loads = (file: string): boolean =>
      /^import (?!type )[^;]*? from 'drizzle-orm/m.test(
        readFileSync(join(project, file), 'utf8').replaceAll(/^import type [^']*'[^']*'$/gm, ''),
      )
    expect(product.filter(loads)).toEqual([])
  })

  it('read the environment in one place', () => {
    const reader = 'foundation/config/environment.ts'
    expect(product.filter((file) => /process\.env\b/.test(readFileSync(join(project, file), 'utf8')))).toEqual([reader])
    const importers = product.filter((file) => importsOf(file).includes(reader))
    expect(importers.toSorted()).toEqual([
      'demonstration/platform.ts',
      'engines/inference/telemetry-opt-out.ts',
      // the default of Apollo Server's option introspection
      'gateway/package/handled-gateway.ts',
      'gateway/supergraph/apollo-opt-out.ts',
      'platform/development/dev.ts',
      'platform/development/unit-process.ts',
      'platform/gateway-main.ts',
      'platform/main.ts',
    ])
  })
})
