import { mkdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import { type Layout, runLayout } from './matrix.ts'
import { isGood, reportOf, writeReport } from './report.ts'
import type { Outcome } from './run-cell.ts'
import { needsCluster, selectionOf } from './selection.ts'
import { rowOf } from './table.ts'

/**
 * `npm run faults`: injects every fault into every role and every engine, one after another, under load, and checks whether acknowledged
 * data is lost or doubled. Options: see selection.ts. ENGINE_CTL names the command that starts Elasticsearch,
 * Cassandra and Keycloak, as for the tests of test/faults. Exits with 1 when data was lost or doubled, a response was neither success
 * nor 503, or the recovery was not automatic.
 */
const selection = selectionOf(process.argv.slice(2))
const machine = `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, shared with other work`
const stopped = Promise.withResolvers<never>()
stopped.promise.catch(() => undefined)
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true
    stopped.reject(new Error(`stopped by ${signal}`))
  })
if (selection.logs !== undefined) await mkdir(selection.logs, { recursive: true })

const single = selection.cells.filter((cell) => !needsCluster(cell))
const onClusters = selection.cells.filter(needsCluster)
const layouts: readonly Layout[] = [
  { clustered: new Set(), cells: single },
  { clustered: new Set(onClusters.map(({ subject }) => subject)), cells: onClusters },
]
const outcomes: Outcome[] = []
const course = {
  until: Date.now() + selection.minutes * 60_000,
  stopped: stopped.promise,
  isStopped: () => isStopped,
  logs: selection.logs,
  log: (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`),
  async done(outcome: Outcome) {
    outcomes.push(outcome)
    // written row by row: a long run may be ended from outside
    if (selection.write) await writeReport([outcome], [], machine)
  },
}
const notes: string[] = []
const failures: string[] = []
const notRun: string[] = []
for (const layout of layouts.filter(({ cells }) => cells.length > 0)) {
  const undone = await runLayout(layout, course)
  notes.push(...undone.skipped)
  failures.push(...undone.failures)
  notRun.push(...undone.notRun)
}
if (notRun.length > 0) course.log(`not run for want of time: ${notRun.join('; ')}`)
if (failures.length > 0) notes.push(`Without a result: ${failures.join('; ')}.`)
process.stdout.write(`\n${reportOf(outcomes.map(rowOf), notes, machine)}\n`)
if (selection.write) await writeReport([], notes, machine)
process.exit(failures.length === 0 && outcomes.every(isGood) ? 0 : 1)
