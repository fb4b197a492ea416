import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { messageOf } from '../subgraphs/foundation/fault.ts'

/** @returns a sentence when the folder cannot be made or written to */
export function folderProblem(folder: string): string | undefined {
  try {
    // Others may pass through, not look: as root the embedded database runs as a user of its own. Every file in it is 0600.
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `DATA_DIR ${folder} cannot be written to (${messageOf(error)}). Give a folder that this user may write.`
  }
}

export interface WantedPort {
  readonly port: number
  readonly host: string
  readonly what: string
}

/** @returns a sentence for each port that cannot be listened on now */
export async function portProblems(wanted: readonly WantedPort[]): Promise<readonly string[]> {
  const problems = await Promise.all(wanted.map(portProblem))
  return problems.filter((problem) => problem !== undefined)
}

function portProblem({ port, host, what }: WantedPort): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be listened on (${error.code ?? error.message})`
      resolve(
        `Port ${port} on ${host}, for ${what}, ${why}. Stop that program, or set PORT_BASE${error.code === 'EADDRINUSE' ? '' : ' and BIND_ADDRESS'}.`,
      )
    })
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}
