import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'

/**
 * Claims the roles of this process on its DATA_DIR: one file per role with the process id. A claim of a dead process is ignored, also if its id was
 * reused. @returns one sentence per role that already runs there
 */
export function claimRoles(dataDir: string, roles: readonly string[]): { readonly problems: readonly string[]; readonly part: Part } {
  const folder = join(dataDir, 'running')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const claimed: string[] = []
  const release = (): void => {
    for (const file of claimed.splice(0)) rmSync(file, { force: true })
  }
  const holders = new Map<string, string[]>()
  for (const role of roles) {
    const file = join(folder, role.replace(':', '-'))
    const holder = claim(file)
    if (holder === undefined) claimed.push(file)
    else holders.set(holder, [...(holders.get(holder) ?? []), role])
  }
  const problems = [...holders].map(
    ([pid, held]) => `DATA_DIR ${dataDir} is in use: process ${pid} already runs ${held.join(', ')}. Stop it, or set another DATA_DIR.`,
  )
  if (problems.length > 0) release()
  return { problems, part: { name: 'claims of roles', start: async () => undefined, stop: async () => release() } }
}

/** @returns the id of the process that holds the claim; undefined if it was acquired */
function claim(file: string): string | undefined {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 })
  try {
    for (let tries = 0; tries < 3; tries++) {
      try {
        linkSync(mine, file)
        return undefined
      } catch {
        const [pid = '', started = ''] = contentOf(file).split(' ')
        if (pid !== '' && startOf(Number(pid)) === started) return pid
        rmSync(file, { force: true })
      }
    }
    return 'unknown'
  } finally {
    rmSync(mine, { force: true })
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the start time of a process where /proc has it, to detect a reused id; '' if there is no such process. */
function startOf(pid: number): string {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return ''
  }
  try {
    // field 22; the command before it is in parentheses and may contain spaces
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : (fields[18] ?? 'running')
  } catch {
    return 'running'
  }
}
