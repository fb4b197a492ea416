import type pg from 'pg'
import { pause } from '../../../foundation/lifecycle.ts'
import { type BuildInfo, compareReleases, releaseOfClient, schemaLevelOfClient } from '../../../foundation/process/build-info.ts'
import { type LiveProcess, liveProcessesStatement, parseLiveProcesses, placeOf } from '../processes/live-processes.ts'

/** duration and interval of the check, since idle processes are not always connected */
export interface ProcessWatch {
  readonly forMs: number
  readonly everyMs: number
}

/**
 * Refuses a contract migration while processes of another build run: those that hold a lease in platform_process, and connections whose
 * application_name has an older release or another schema level. Does not see processes of earlier releases that cannot reach the database meanwhile.
 * @param build - of this process
 * @throws {Error} one sentence that lists them
 */
export async function refuseOlderProcesses(
  client: Pick<pg.ClientBase, 'query'>,
  build: Pick<BuildInfo, 'version' | 'schemaLevel'>,
  { forMs, everyMs }: ProcessWatch,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + forMs
  for (;;) {
    signal.throwIfAborted()
    const connected = (await connectedProcesses(client)).filter(({ name }) => isOther(name, build)).map(sentenceOf)
    const leased = (await leasedProcesses(client)).filter(({ release, schemaLevel }) => isOtherBuild(release, schemaLevel, build))
    const others = [...connected, ...leased.map((each) => `${placeOf(each)}, schema level ${each.schemaLevel}`)]
    if (others.length > 0)
      throw new Error(
        `Processes of an older release or another schema level run and may need what this migration removes: ${others.join('; ')}. Stop or upgrade them, then run it again (this is ${build.version}, schema level ${build.schemaLevel})`,
      )
    if (performance.now() >= until) return
    await pause(everyMs, signal)
  }
}

const isOtherBuild = (release: string, schemaLevel: number | undefined, build: Pick<BuildInfo, 'version' | 'schemaLevel'>): boolean =>
  compareReleases(release, build.version) < 0 || (schemaLevel !== undefined && schemaLevel !== build.schemaLevel)

const isOther = (name: string, build: Pick<BuildInfo, 'version' | 'schemaLevel'>): boolean =>
  isOtherBuild(releaseOfClient(name) ?? '0.0.0', schemaLevelOfClient(name), build)

/** Databases of earlier releases have no list of processes. */
async function leasedProcesses(client: Pick<pg.ClientBase, 'query'>): Promise<readonly LiveProcess[]> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('platform_process') is not null as there`)
  return rows[0]?.there === true ? parseLiveProcesses((await client.query(liveProcessesStatement)).rows) : []
}

export interface ConnectedProcess {
  readonly name: string
  /** client address; "this machine" for a local socket */
  readonly origin: string
  readonly connections: number
}

/** Returns the connected processes of the platform by name and address. */
export async function connectedProcesses(client: Pick<pg.ClientBase, 'query'>): Promise<readonly ConnectedProcess[]> {
  const { rows } = await client.query<ConnectedProcess>(`
    select application_name as name, coalesce(host(client_addr), 'this machine') as origin, count(*)::int as connections
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^civigraph( |$)'
    group by 1, 2 order by 1, 2`)
  return rows
}

const sentenceOf = ({ name, origin, connections }: ConnectedProcess): string =>
  `${connections} connection${connections === 1 ? '' : 's'} of ${releaseOfClient(name) ?? 'release 1.0'} from ${origin} ("${name}")`
