import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { messageOf } from '../../subgraphs/foundation/fault.ts'

/** @returns a sentence when the folder cannot be made or written to */
export function folderProblem(folder: string): string | undefined {
  try {
    // Others may pass through, not look: as root the embedded database runs as a user of its own. Every file in it is 0600.
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `DATA_DIR ${folder} cannot be written to (${messageOf(error)}). Give a folder that this user may write.`
  }
}

/** Folder by folder: Node's own recursive mkdir never ends where a parent exists and still takes no folder (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o711 })
}

export interface WantedPort {
  readonly port: number
  readonly host: string
  readonly what: string
  /** the setting that moves it */
  readonly setting: string
}

/** @returns a sentence for each port that cannot be listened on now */
export async function portProblems(wanted: readonly WantedPort[]): Promise<readonly string[]> {
  const problems = await Promise.all(wanted.map(portProblem))
  return problems.filter((problem) => problem !== undefined)
}

function portProblem({ port, host, what, setting }: WantedPort): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const where = `Port ${port} on ${host}, for ${what},`
      if (error.code === 'EADDRINUSE') resolve(`${where} is taken by another program. Stop that program, or set ${setting}.`)
      else if (error.code === 'EADDRNOTAVAIL')
        resolve(`${where} cannot be listened on: this machine does not have that address. Set BIND_ADDRESS or METRICS_HOST.`)
      else resolve(`${where} cannot be listened on (${error.code ?? error.message}). Set ${setting}.`)
    })
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}
