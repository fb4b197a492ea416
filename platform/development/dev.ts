import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { environment } from '../../foundation/config/environment.ts'
import { componentNames, projectFolder } from '../../foundation/process/build-info.ts'
import { buildPages, compile, printSchemas } from './build-steps.ts'
import { affectedUnits, isPageSource, type UnitEntry } from './change-impact.ts'
import { createUnit, type Unit } from './unit-process.ts'
import { watchSources } from './watch-sources.ts'

/**
 * `npm run dev`: runs the platform from the sources and restarts the processes that a change affects. Each component and the front (gateway, REST,
 * pages) is a process on one DATA_DIR. A change that does not compile is reported once, and the last good version stays in use.
 */
const writeLine = (line: string): boolean => process.stdout.write(`[dev] ${line}\n`)
const portBase = Number(environment.PORT_BASE ?? '4000')
const workers: readonly string[] = ['verification', 'exploration', 'classification']

/** restarted in this order: a changed resolver answers before its worker is there again */
const entries: readonly UnitEntry[] = [
  ...componentNames.map((name) => componentEntry(name, 'subgraph')),
  {
    name: 'front',
    roles: ['gateway', ...componentNames.map((name) => `rest:${name}`)],
    module: 'platform/main.js',
    folder: 'web/',
    without: componentNames.map((name) => `platform/components/${name}.js`),
  },
  ...workers.map((name) => componentEntry(name, 'worker')),
]

function componentEntry(name: string, kind: 'subgraph' | 'worker'): UnitEntry {
  const role = `${kind}:${name}`
  return { name: role, roles: [role], module: `platform/components/${name}.js`, folder: `subgraphs/${name}/` }
}

async function takenPort(): Promise<number | undefined> {
  for (const port of [0, 1, 2, 3, 4, 5].map((offset) => portBase + offset)) {
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (!isFree) return port
  }
  return undefined
}

async function run(): Promise<void> {
  const port = await takenPort()
  if (port !== undefined) throw new Error(`port ${port} is in use: stop the platform that listens there, or set PORT_BASE`)
  mkdirSync(join(projectFolder, 'dist/dev'), { recursive: true })
  writeLine('compiling')
  const first = await compile()
  if (first.problems !== '') throw new Error(`compile errors:\n${first.problems}`)
  await buildPages(writeLine)
  const units = new Map<string, Unit>(entries.map((entry) => [entry.name, createUnit(entry.name, entry.roles)]))
  const stop = async (): Promise<void> => {
    await watcher.close()
    await Promise.all([...units.values()].map((unit) => unit.stop()))
  }
  /** Says a message, or which processes have exited. */
  const sayIfRunning = (message: string): void => {
    const exited = [...units].filter(([, unit]) => !unit.isRunning).map(([name]) => name)
    writeLine(exited.length === 0 ? message : `not ready, see the messages above: ${exited.join(', ')} exited`)
  }
  let lastProblems = ''
  const watcher = watchSources(async (changed) => {
    const startedAt = performance.now()
    const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
    const { problems, emitted } = await compile()
    if (problems !== '') {
      if (problems !== lastProblems) writeLine(`compile errors; the last good version stays in use\n${problems}`)
      lastProblems = problems
      return
    }
    if (lastProblems !== '') writeLine('compiles again')
    lastProblems = ''
    if (changed.some(isPageSource)) await buildPages(writeLine)
    const names = new Set(affectedUnits(entries, emitted, changed))
    if (changed.some(isPageSource)) names.add('front')
    if (names.size > 0) writeLine(`restarting ${[...names].join(', ')}`)
    const restart = (kind: RegExp): Promise<unknown> =>
      Promise.all([...names].filter((name) => kind.test(name)).map((name) => units.get(name)?.restart()))
    await restart(/^subgraph:|^front$/)
    if (names.size > 0) sayIfRunning(`answers again after ${seconds()}`)
    const mayChangeSchema = emitted.some((file) => file.startsWith('subgraphs/'))
    if (mayChangeSchema && (await printSchemas(writeLine))) {
      writeLine('the schema changed: restarting front')
      await units.get('front')?.restart()
    }
    await restart(/^worker:/)
    if (names.size === 0) return
    sayIfRunning(`ready again after ${seconds()}`)
  })
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      signals++
      if (signals > 1) for (const unit of units.values()) unit.kill()
      else void stop().then(() => process.exit(0))
    })
  await Promise.all([...units.values()].map((unit) => unit.start()))
  sayIfRunning(`ready: http://127.0.0.1:${portBase}/graphql; watching the sources. Debug a process: npm run dev -- --inspect`)
}

await run().catch((error: unknown) => {
  process.stderr.write(`[dev] ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
