import { mkdir, readFile, rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { temporaryDataDir } from '../support/engines/databases.ts'
import { people } from '../support/engines/embedded-identity.ts'
import type { Engine } from './engines/engine.ts'
import { openEngines } from './engines/open-engines.ts'
import { type Fault, faultOfEngine, faultOfRole, titles } from './faults.ts'
import { ContentEdits } from './load/content-edits.ts'
import { Delegations } from './load/delegations.ts'
import { Expressions } from './load/expressions.ts'
import { Jobs } from './load/jobs.ts'
import type { Kind } from './load/kind.ts'
import { type Credentials, Logins } from './load/logins.ts'
import { Votes } from './load/votes.ts'
import { Network } from './network.ts'
import { type Platform, startPlatform } from './platform.ts'
import { isGood, reportOf, tableOf, writeReport } from './report.ts'
import { type Outcome, runCell } from './run-cell.ts'
import { type Cell, isEngine, selectionOf } from './selection.ts'

/**
 * `npm run faults`: lets every role and every engine fail in every way, one after another, under load, and looks whether anything that was
 * acknowledged is lost or there twice. What may be selected: see selection.ts. ENGINE_CTL names the command that starts Elasticsearch,
 * Cassandra and Keycloak, as for the tests of test/faults. Ends with 1 when anything was lost, doubled, answered otherwise than with success
 * or 503, or did not come back by itself.
 */
const selection = selectionOf(process.argv.slice(2))
const say = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const stopped = Promise.withResolvers<never>()
stopped.promise.catch(() => undefined)
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true
    stopped.reject(new Error(`stopped by ${signal}`))
  })

await using opened = new AsyncDisposableStack()
const folder = await temporaryDataDir()
opened.defer(() => rm(folder, { recursive: true, force: true }))
if (selection.logs !== undefined) await mkdir(selection.logs, { recursive: true })
const engines = opened.use(await openEngines(folder, say))
const network = opened.use(new Network())
const platform = opened.use(await startPlatform(folder, engines.running, network, say, selection.logs))
const credentials = await credentialsOf()

const outcomes: Outcome[] = []
const notes: string[] = [...engines.leftOut]
const failures: string[] = []
const notRun: string[] = []
const until = Date.now() + selection.minutes * 60_000
for (const [index, cell] of selection.cells.entries()) {
  const title = `${cell.subject}, ${titles[cell.fault]}, round ${cell.round}`
  const fault = faultOf(cell, platform, engines.running)
  if (fault === undefined || isStopped || Date.now() > until) {
    if (fault !== undefined) notRun.push(title)
    continue
  }
  const name = `c${index}`
  const kinds = kindsOf(name)
  try {
    const outcome = await Promise.race([runCell(cell, fault, kinds, platform.access, name), stopped.promise])
    outcomes.push(outcome)
    say(`${tableOf([outcome]).split('\n').at(-1)} health ${outcome.health}`)
    for (const line of [
      ...outcome.lost.map((what) => `lost: ${what}`),
      ...outcome.doubled.map((what) => `doubled: ${what}`),
      ...outcome.wrong,
    ])
      say(`  ${line}`)
  } catch (error) {
    if (isStopped) notRun.push(title)
    else {
      failures.push(`${title}: ${String(error)}`)
      say(`FAILED ${failures.at(-1)}`)
    }
  } finally {
    for (const kind of kinds) await kind[Symbol.asyncDispose]()
  }
}

if (notRun.length > 0) notes.push(`Not run for want of time: ${notRun.join('; ')}.`)
if (failures.length > 0) notes.push(`Without a result: ${failures.join('; ')}.`)
const report = reportOf(
  outcomes,
  notes,
  `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, shared with other work`,
)
process.stdout.write(`\n${report}\n`)
if (selection.write) await writeReport(report)
process.exitCode = failures.length === 0 && outcomes.every(isGood) ? 0 : 1
await opened.disposeAsync()
process.exit()

function kindsOf(name: string): readonly Kind[] {
  const { access } = platform
  const database = (): string => engines.running.find((engine) => engine.name === 'postgres')?.url ?? ''
  const logins = new Logins(access, credentials)
  return [
    new Jobs(access, database),
    new Expressions(access, database),
    new Votes(access, database, name),
    new Delegations(access, database, name, logins),
    new ContentEdits(access, name),
    logins,
  ]
}

/** @returns undefined where there is no such engine here, or it cannot fail in this way */
function faultOf({ subject, fault, round }: Cell, running: Platform, there: readonly Engine[]): Fault | undefined {
  if (isEngine(subject)) {
    const engine = there.find(({ name }) => name === subject)
    return engine && faultOfEngine(fault, engine, network)
  }
  const copies = running.of(subject)
  // each round hits another copy
  const process = copies[round % copies.length]
  return process && faultOfRole(fault, process, network)
}

/** Of an administrator: the issuer's, or the one that the platform made itself. */
async function credentialsOf(): Promise<Credentials> {
  if (engines.running.some(({ name }) => name === 'keycloak')) return people.superAdmin
  const made = JSON.parse(await readFile(join(folder, 'data/credentials.json'), 'utf8')) as { readonly super_admin: Credentials }
  return made.super_admin
}
