import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const project = new URL('../', import.meta.url).pathname
const components = ['verification', 'exploration', 'classification', 'administration', 'content']

/** What each room of the house may import besides itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  demonstration: ['foundation'],
  foundation: [],
  engines: ['foundation'],
  ...Object.fromEntries(components.map((name) => [name, ['engines', 'foundation']])),
  nodes: ['foundation'],
  web: ['foundation'],
  gateway: ['foundation'],
  'rest-adapters': ['gateway', 'web', 'foundation'],
  platform: ['rest-adapters', 'gateway', 'web', 'demonstration', 'engines', 'foundation', 'nodes', ...components],
}
const tops = ['platform', 'rest-adapters', 'gateway', 'web', 'subgraphs', 'engines', 'foundation', 'demonstration']
const sources = globSync(
  tops.map((top) => `${top}/**/*.{ts,tsx}`),
  { cwd: project },
)

function roomOf(file: string): string {
  const [top = '', room = ''] = file.split('/')
  return top === 'subgraphs' ? room : top
}

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(project, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
const imports = new Map(sources.map((file) => [file, importsOf(file)]))

const problems = (rule: (file: string, imported: string) => boolean): readonly string[] =>
  sources.flatMap((file) =>
    (imports.get(file) ?? []).filter((imported) => rule(file, imported)).map((imported) => `${file} imports ${imported}`),
  )

/** Files that reach themselves again: each circle once, by the file at which it was noticed. */
function circles(): readonly string[] {
  const done = new Set<string>()
  const path: string[] = []
  const found: string[] = []
  const visit = (file: string): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file) || path.includes(file)) return
    path.push(file)
    for (const imported of imports.get(file) ?? []) visit(imported)
    path.pop()
    done.add(file)
  }
  for (const file of sources) visit(file)
  return found
}

describe('the house', () => {
  it('has sources to look at', () => expect(sources.length).toBeGreaterThan(400))

  it('lets imports point down only', () => {
    const climbs = (file: string, imported: string): boolean =>
      roomOf(file) !== roomOf(imported) && below[roomOf(file)]?.includes(roomOf(imported)) !== true
    expect(problems(climbs)).toEqual([])
  })

  it('has no circle, types included', () => expect(circles()).toEqual([]))

  it('lets outsiders import a component only by its index, and commands by what it has for them', () => {
    const doors = /^subgraphs\/[^/]+\/(?:index\.ts$|commands\/)/
    const entersByTheWindow = (file: string, imported: string): boolean =>
      components.includes(roomOf(imported)) &&
      roomOf(file) !== roomOf(imported) &&
      (!doors.test(imported) || (imported.includes('/commands/') && !file.startsWith('platform/commands/')))
    expect(problems(entersByTheWindow)).toEqual([])
  })

  it('lets REST use of the gateway its executor, errors, request context and HTTP edge alone', () => {
    const doors = /^gateway\/(?:(?:executor|request-context)\.ts|errors\/|http\/)/
    const reachesIn = (file: string, imported: string): boolean =>
      roomOf(file) === 'rest-adapters' && roomOf(imported) === 'gateway' && !doors.test(imported)
    expect(problems(reachesIn)).toEqual([])
  })

  it('keeps the adapters of two components apart', () => {
    const adapterOf = (file: string): string | undefined => components.find((name) => file.startsWith(`rest-adapters/${name}/`))
    const visits = (file: string, imported: string): boolean => {
      const [from, to] = [adapterOf(file), adapterOf(imported)]
      return from !== undefined && to !== undefined && from !== to
    }
    expect(problems(visits)).toEqual([])
  })

  it('keeps the pages apart, and what browsers run from what serves it', () => {
    const pageOf = (file: string): string | undefined => {
      const [top, page = ''] = file.split('/')
      return top === 'web' && existsSync(join(project, 'web', page, 'index.html')) ? page : undefined
    }
    const isServed = (file: string): boolean =>
      file.startsWith('web/') && !/^web\/(?:serving\/|[^/]+$|[^/]+\/(?:mount-)?pages?\.ts$)/.test(file)
    const visits = (file: string, imported: string): boolean => {
      const page = pageOf(imported)
      return isServed(file) && (imported.startsWith('web/serving/') || (page !== undefined && pageOf(file) !== page))
    }
    expect(problems(visits)).toEqual([])
    const sharedNeedsPage = (file: string, imported: string): boolean =>
      /^web\/(?:shared|components)\//.test(file) && !/^web\/(?:shared|components)\//.test(imported)
    expect(problems(sharedNeedsPage)).toEqual([])
  })

  it('lets nobody import the composition root', () => {
    const isRoot = (file: string): boolean => file === 'platform/main.ts'
    expect(problems((_, imported) => isRoot(imported))).toEqual([])
  })

  it('loads Drizzle in one place, as CommonJS: its ES modules cost each process 250 MB', () => {
    const loads = (file: string): boolean =>
      /^import (?!type )[^;]*? from 'drizzle-orm/m.test(
        readFileSync(join(project, file), 'utf8').replaceAll(/^import type [^']*'[^']*'$/gm, ''),
      )
    expect(sources.filter(loads)).toEqual([])
  })

  it('reads the environment in one place', () => {
    const reader = 'foundation/config/environment.ts'
    expect(sources.filter((file) => /process\.env\b/.test(readFileSync(join(project, file), 'utf8')))).toEqual([reader])
    const askers = sources.filter((file) => imports.get(file)?.includes(reader))
    expect(askers.toSorted()).toEqual([
      'demonstration/platform.ts',
      'engines/inference/telemetry-opt-out.ts',
      'gateway/telemetry/apollo-opt-out.ts',
      'platform/development/dev.ts',
      'platform/development/unit-process.ts',
      'platform/gateway-main.ts',
      'platform/main.ts',
    ])
  })
})
