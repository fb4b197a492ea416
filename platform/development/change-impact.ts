import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { outputFolder } from './build-steps.ts'

/** A process of `npm run dev` with the module that defines it. */
export interface UnitEntry {
  readonly name: string
  readonly roles: readonly string[]
  /** compiled module whose imports the process loads */
  readonly module: string
  /** source folder whose data files concern this unit */
  readonly folder: string
  /** modules that other units load instead */
  readonly without?: readonly string[]
}

/** Whether a source belongs to a page, which the page build bundles. */
export const isPageSource = (file: string): boolean =>
  (file.startsWith('web/') && !/^web\/(?:serving\/|[^/]+$|[^/]+\/page\.ts$)/.test(file)) ||
  /^packages\/civigraph-client\/(?:src|operations)\//.test(file)

function importsOf(module: string): readonly string[] {
  const path = join(outputFolder, module)
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/(?:from|import)(?: ?\()? ?['"](\.{1,2}\/[^'"]+)['"]/g)].map(([, target = '']) =>
    normalize(join(dirname(module), target)),
  )
}

function closureOf({ module, without = [] }: UnitEntry): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [module]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next) || without.includes(next)) continue
    reached.add(next)
    waiting.push(...importsOf(next))
  }
  return reached
}

/**
 * Returns the names of the units that load one of the emitted modules or whose data files changed. @param emitted - modules that the compiler wrote
 * @param changed - changed sources, including data files
 */
export function affectedUnits(entries: readonly UnitEntry[], emitted: readonly string[], changed: readonly string[]): readonly string[] {
  const data = changed.filter((file) => !/\.tsx?$/.test(file) && !isPageSource(file) && !file.startsWith('schema/'))
  const owned = (file: string): boolean => entries.some(({ folder }) => file.startsWith(folder))
  return entries
    .filter((entry) => {
      const closure = closureOf(entry)
      return emitted.some((module) => closure.has(module)) || data.some((file) => file.startsWith(entry.folder) || !owned(file))
    })
    .map(({ name }) => name)
}
