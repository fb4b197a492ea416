import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const project = new URL('../', import.meta.url).pathname
const sources = globSync(['gateway/**/*.ts', 'subgraphs/**/*.ts', 'rest-adapters/**/*.ts', 'demonstration/**/*.ts'], { cwd: project })
const components = ['verification', 'exploration', 'classification', 'administration', 'content']

/** The floors of the house, the lowest first. A file may import from its own floor's folder and from lower floors. */
function floorOf(file: string): { readonly floor: number; readonly room: string } {
  const [top = '', room = ''] = file.split('/')
  if (top === 'demonstration') return { floor: 0, room: top }
  if (top === 'subgraphs') {
    if (room === 'foundation') return { floor: 1, room: top + room }
    if (room === 'engines') return { floor: 2, room: top + room }
    return { floor: 3, room: top + room }
  }
  return { floor: top === 'gateway' ? 4 : 5, room: top }
}

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(project, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, path = '']) =>
    relative(project, join(project, dirname(file), path)),
  )

const problems = (rule: (file: string, imported: string) => boolean): readonly string[] =>
  sources
    .filter((file) => file !== 'gateway/main.ts')
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => rule(file, imported))
        .map((imported) => `${file} imports ${imported}`),
    )

describe('the house', () => {
  it('has sources to look at', () => expect(sources.length).toBeGreaterThan(30))

  it('lets imports point down only', () => {
    const climbs = (file: string, imported: string): boolean => {
      const [from, to] = [floorOf(file), floorOf(imported)]
      return to.floor > from.floor || (to.floor === from.floor && to.room !== from.room)
    }
    expect(problems(climbs)).toEqual([])
  })

  it('lets outsiders import a component only by its index', () => {
    const entersByTheWindow = (file: string, imported: string): boolean => {
      const room = components.find((name) => imported.startsWith(`subgraphs/${name}/`))
      return room !== undefined && !file.startsWith(`subgraphs/${room}/`) && imported !== `subgraphs/${room}/index.ts`
    }
    expect(problems(entersByTheWindow)).toEqual([])
  })

  it('lets REST reach data through the gateway alone', () => {
    const reachesEngines = (file: string, imported: string): boolean =>
      file.startsWith('rest-adapters/') && imported.startsWith('subgraphs/') && !imported.startsWith('subgraphs/foundation/')
    expect(problems(reachesEngines)).toEqual([])
  })

  it('loads Drizzle in one place, as CommonJS: its ES modules cost each process 250 MB', () => {
    const loads = (file: string): boolean =>
      /^import (?!type )[^;]*? from 'drizzle-orm/m.test(
        readFileSync(join(project, file), 'utf8').replaceAll(/^import type [^']*'[^']*'$/gm, ''),
      )
    expect(sources.filter(loads)).toEqual([])
  })

  it('lets the demonstration be a client: it imports nothing of the platform', () => {
    expect(problems((file, imported) => file.startsWith('demonstration/') && !imported.startsWith('demonstration/'))).toEqual([])
  })

  it('lets nobody import the composition root', () => {
    expect(problems((_, imported) => imported === 'gateway/main.ts')).toEqual([])
  })

  // no-telemetry sets a variable before Apollo reads it; the demonstration is a program of its own
  it('reads the environment in one place', () => {
    const readers = sources.filter((file) => /process\.env/.test(readFileSync(join(project, file), 'utf8')))
    expect(readers.filter((file) => !['gateway/main.ts', 'gateway/no-telemetry.ts', 'demonstration/run.ts'].includes(file))).toEqual([])
  })
})
