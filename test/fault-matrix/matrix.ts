import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDataDir } from '../support/engines/databases.ts'
import { people } from '../support/engines/embedded-identity.ts'
import type { Engine } from './engines/engine.ts'
import { type Engines, openEngines } from './engines/open-engines.ts'
import { type Fault, faultOfEngine, faultOfRole } from './faults.ts'
import { ContentEdits } from './load/content-edits.ts'
import { Delegations } from './load/delegations.ts'
import { Erasures } from './load/erasures.ts'
import { Expressions } from './load/expressions.ts'
import { Jobs } from './load/jobs.ts'
import type { Kind } from './load/kind.ts'
import { type Credentials, Logins } from './load/logins.ts'
import { Votes } from './load/votes.ts'
import { Network } from './network.ts'
import { type Platform, startPlatform } from './platform.ts'
import { type Outcome, runCell } from './run-cell.ts'
import { type Cell, isEngine, titleOf } from './selection.ts'
import { rowOf } from './table.ts'

/** Number of nodes of the engines, and the cells to run on them. */
export interface Layout {
  /** Engines with several nodes; the others have one. */
  readonly clustered: ReadonlySet<string>
  readonly cells: readonly Cell[]
}

export interface RunControl {
  /** No cell starts after this time, by Date.now(). */
  readonly until: number
  /** Rejects when the run is to end at once. */
  readonly stopped: Promise<never>
  isStopped(): boolean
  readonly logs: string | undefined
  log(line: string): void
  done(outcome: Outcome): Promise<void>
}

/** One message per cell without an outcome. */
export interface MissingCells {
  /** Engines and faults that this machine lacks. */
  readonly skipped: readonly string[]
  readonly failures: readonly string[]
  readonly notRun: readonly string[]
}

/** Starts engines and platform, and runs one fault after another. */
export async function runLayout({ clustered, cells }: Layout, course: RunControl): Promise<MissingCells> {
  const { log, stopped } = course
  await using opened = new AsyncDisposableStack()
  const folder = await temporaryDataDir()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const engines = opened.use(await openEngines(folder, clustered, log))
  const network = opened.use(new Network())
  const platform = opened.use(await startPlatform(folder, engines.running, network, log, course.logs))
  const credentials = await credentialsOf(engines, folder)
  const failures: string[] = []
  const notRun: string[] = []
  for (const [index, cell] of cells.entries()) {
    const title = titleOf(cell)
    const fault = faultOf(cell, platform, engines.running, network)
    if (fault === undefined || course.isStopped() || Date.now() > course.until) {
      if (fault !== undefined) notRun.push(title)
      continue
    }
    const name = `c${index}`
    const kinds = kindsOf(name, platform, engines, credentials)
    try {
      const outcome = await Promise.race([runCell(cell, fault, kinds, platform.access, name), stopped])
      log(`${rowOf(outcome)} health ${outcome.health}`)
      for (const line of [
        ...outcome.lost.map((what) => `lost: ${what}`),
        ...outcome.doubled.map((what) => `doubled: ${what}`),
        ...outcome.wrong,
      ])
        log(`  ${line}`)
      await course.done(outcome)
    } catch (error) {
      if (course.isStopped()) notRun.push(title)
      else {
        failures.push(`${title}: ${String(error)}`)
        log(`FAILED ${failures.at(-1)}`)
      }
    } finally {
      for (const kind of kinds) await kind[Symbol.asyncDispose]()
    }
  }
  return { skipped: engines.skipped, failures, notRun }
}

function kindsOf(name: string, { access }: Platform, engines: Engines, credentials: Credentials): readonly Kind[] {
  const database = (): string => engines.running.find((engine) => engine.name === 'postgres')?.url ?? ''
  const logins = new Logins(access, credentials)
  return [
    new Jobs(access, database),
    new Expressions(access, database),
    new Votes(access, database, name),
    new Delegations(access, database, name, logins),
    new Erasures(access, database, logins),
    new ContentEdits(access, name),
    logins,
  ]
}

/** @returns undefined for an engine or a fault that is not available here */
function faultOf({ subject, fault, round }: Cell, running: Platform, there: readonly Engine[], network: Network): Fault | undefined {
  if (isEngine(subject)) {
    const engine = there.find(({ name }) => name === subject)
    return engine && faultOfEngine(fault, engine, network)
  }
  const copies = running.of(subject)
  // each round affects another replica
  const process = copies[round % copies.length]
  return process && faultOfRole(fault, process, network)
}

/** Account of an administrator: the issuer's, or the platform's first one. */
async function credentialsOf(engines: Engines, folder: string): Promise<Credentials> {
  if (engines.running.some(({ name }) => name === 'keycloak')) return people.superAdmin
  const stored = JSON.parse(await readFile(join(folder, 'data/credentials.json'), 'utf8')) as { readonly super_admin: Credentials }
  return stored.super_admin
}
