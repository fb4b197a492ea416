import type pg from 'pg'
import { pause } from '../../../foundation/lifecycle.ts'
import { releaseOfClient } from '../../../foundation/process/build-info.ts'

/** duration and interval of the check, since idle processes are not always connected */
export interface ProcessWatch {
  readonly forMs: number
  readonly everyMs: number
}

/**
 * Refuses a contract migration while processes of an older release are connected, detected by application_name. Does not see processes that cannot
 * reach the database meanwhile.
 * @param release - of this process
 * @throws {Error} one sentence that lists them
 */
export async function refuseOlderProcesses(
  client: Pick<pg.ClientBase, 'query'>,
  release: string,
  { forMs, everyMs }: ProcessWatch,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + forMs
  for (;;) {
    signal.throwIfAborted()
    const older = (await connectedProcesses(client)).filter(({ name }) => isOlder(releaseOfClient(name) ?? '0.0.0', release))
    if (older.length > 0)
      throw new Error(
        `Processes of an older release are connected and may need what this migration removes: ${older.map(sentenceOf).join('; ')}. Stop them, then run it again`,
      )
    if (performance.now() >= until) return
    await pause(everyMs, signal)
  }
}

export interface Connected {
  readonly name: string
  /** client address; "this machine" for a local socket */
  readonly origin: string
  readonly connections: number
}

/** Returns the connected processes of the platform by name and address. */
export async function connectedProcesses(client: Pick<pg.ClientBase, 'query'>): Promise<readonly Connected[]> {
  const { rows } = await client.query<Connected>(`
    select application_name as name, coalesce(host(client_addr), 'this machine') as origin, count(*)::int as connections
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^civigraph( |$)'
    group by 1, 2 order by 1, 2`)
  return rows
}

const sentenceOf = ({ name, origin, connections }: Connected): string =>
  `${connections} connection${connections === 1 ? '' : 's'} of ${releaseOfClient(name) ?? 'release 1.0'} from ${origin} ("${name}")`

/** Compares releases by Semantic Versioning; 2.0.0-dev is older than 2.0.0, and pre-releases of one version are equal. */
function isOlder(one: string, other: string): boolean {
  const [a = [], b = []] = [one, other].map((release) => {
    const [numbers = '', preRelease] = release.split('-', 2)
    return [...numbers.split('.').map(Number), preRelease === undefined ? 1 : 0]
  })
  const differing = a.findIndex((part, index) => part !== b[index])
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] ?? 0)
}
