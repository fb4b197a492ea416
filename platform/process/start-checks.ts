import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { messageOf } from '../../foundation/fault.ts'
import { closeToOthers } from './keys/kept-once.ts'

/** Files of DATA_DIR with passwords or keys. */
const secretFiles = ['credentials.json', 'secrets.json', 'postgres.json', 'postgres.log']
/** As root the embedded database runs as a user of its own, which passes through the folder without reading it. */
const folderMode = process.getuid?.() === 0 ? 0o711 : 0o700

/** Makes the folder; closes it to others where it holds secrets. @returns a sentence when it cannot be made, written to or closed */
export function folderProblem(folder: string): string | undefined {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    const present = secretFiles.map((name) => join(folder, name)).filter((file) => existsSync(file))
    for (const file of present) closeToOthers(file)
    const { mode, uid } = statSync(folder)
    // a folder of another owner, or one where many may write (/tmp), is not this platform's to close
    const isOurs = present.length > 0 && uid === process.getuid?.() && (mode & 0o1000) === 0
    if (isOurs && (mode & 0o777 & ~folderMode) !== 0) chmodSync(folder, mode & folderMode)
    return undefined
  } catch (error) {
    return `DATA_DIR ${folder} cannot be written to (${messageOf(error)}). Give a folder that this user may write.`
  }
}

/** Folder by folder: Node's own recursive mkdir never ends where a parent exists and still takes no folder (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: folderMode })
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
