import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Config } from '../../foundation/config/config.ts'
import { messageOf } from '../../foundation/fault.ts'
import { restrictToOwner } from './created-once.ts'
import type { Roles } from './roles.ts'

/** Files of DATA_DIR with passwords or keys. */
const secretFiles = ['credentials.json', 'secrets.json', 'postgres.json', 'postgres.log']
/** For root, the embedded database runs as another user, who must be able to traverse the folder. */
const folderMode = process.getuid?.() === 0 ? 0o711 : 0o700

/** Creates the folder and removes access by others. @returns one sentence if it cannot be created, written to or protected */
export function folderProblem(folder: string): string | undefined {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    const present = secretFiles.map((name) => join(folder, name)).filter((file) => existsSync(file))
    for (const file of present) restrictToOwner(file)
    const { mode, uid } = statSync(folder)
    // the mode of a folder of another user, or of a shared one (/tmp), must not change
    const isOurs = present.length > 0 && uid === process.getuid?.() && (mode & 0o1000) === 0
    if (isOurs && (mode & 0o777 & ~folderMode) !== 0) chmodSync(folder, mode & folderMode)
    return undefined
  } catch (error) {
    return `DATA_DIR ${folder} cannot be written to (${messageOf(error)}). Use a folder that this user can write to.`
  }
}

/** Creates folders one by one: Node's recursive mkdir never returns if a parent exists but does not allow folders (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: folderMode })
}

export interface RequiredPort {
  readonly port: number
  readonly host: string
  readonly what: string
  /** setting that changes the port */
  readonly setting: string
}

/** @returns one sentence per port that is unavailable */
export async function portProblems(wanted: readonly RequiredPort[]): Promise<readonly string[]> {
  const problems = await Promise.all(wanted.map(portProblem))
  return problems.filter((problem) => problem !== undefined)
}

function portProblem({ port, host, what, setting }: RequiredPort): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const where = `Port ${port} on ${host}, for ${what},`
      if (error.code === 'EADDRINUSE') resolve(`${where} is in use by another program. Stop it, or set ${setting}.`)
      else if (error.code === 'EADDRNOTAVAIL')
        resolve(`${where} is unavailable: this machine does not have that address. Set BIND_ADDRESS or METRICS_HOST.`)
      else resolve(`${where} is unavailable (${error.code ?? error.message}). Set ${setting}.`)
    })
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

/** @returns a sentence if these roles would use the embedded search index and this installation lacks it, as the image for external engines does */
export function searchIndexProblem({ elasticsearch }: Pick<Config, 'elasticsearch'>, { subgraphs, workers }: Roles): string | undefined {
  if (elasticsearch !== undefined || ![...subgraphs, ...workers].includes('classification')) return undefined
  try {
    import.meta.resolve('@lancedb/lancedb')
    return undefined
  } catch {
    return 'ELASTICSEARCH_URL is not set, and this installation has no embedded search index: set ELASTICSEARCH_URL, or use the image variant "trial"'
  }
}
