import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'

const maxWaitMs = 90_000
const retryMs = 20

/**
 * Identifies a running process, undefined if it does not run. A pid may be reused (in a container it is always 1), so on Linux start time and boot id
 * are included.
 */
export function identityOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // proc_pid_stat(5): fields after the closing parenthesis of the command start at 3 (state); 22 is the start time in ticks since boot
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? undefined : `${pid}-${fields[19]}-${bootId()}`
    } catch {
      return undefined
    }
  }
  try {
    process.kill(pid, 0)
    return `${pid}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? `${pid}` : undefined
  }
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)

/** Whether the process of `identity` still runs. */
export const isAlive = (identity: string): boolean => identityOf(Number.parseInt(identity, 10)) === identity

export const ownIdentity = (): string => identityOf(process.pid) ?? `${process.pid}`

/**
 * Runs `work` while no other process with the same folder does; the lock of a dead process is free. Holders are numbered: a process that finds the
 * highest number free or its holder dead tries to create the next one, and `link` lets exactly one succeed. The highest number is never deleted, so
 * that a process with outdated information notices.
 * @throws {Error} if the folder is not writable, the signal is aborted, or after 90 s
 */
export async function withProcessLock<Result>(folder: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  await mkdir(folder, { recursive: true })
  const ticket = join(folder, `ticket.${ownIdentity()}.${randomBytes(4).toString('hex')}`)
  await writeFile(ticket, ownIdentity())
  try {
    await acquire(folder, ticket, signal)
    // The holder file is a hard link of the ticket: empty means free.
    return await work().finally(() => truncate(ticket))
  } finally {
    await rm(ticket, { force: true })
  }
}

async function acquire(folder: string, ticket: string, signal: AbortSignal): Promise<void> {
  const until = Date.now() + maxWaitMs
  for (;;) {
    signal.throwIfAborted()
    const highest = await highestNumber(folder)
    if (highest > 0 && (await isHeld(join(folder, `${highest}`)))) {
      if (Date.now() > until) throw new Error(`${folder} has been locked by another process for ${maxWaitMs / 1000} s`)
      await pause(retryMs, signal)
      continue
    }
    const mine = join(folder, `${highest + 1}`)
    try {
      await link(ticket, mine)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new Error(`${folder} cannot be locked: ${messageOf(error)}`, { cause: error })
    }
    if ((await highestNumber(folder)) === highest + 1) return removeOld(folder, highest)
    await rm(mine)
  }
}

async function highestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await readdir(folder)).map(Number).filter(Number.isInteger))
}

async function isHeld(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(() => '')
  return holder !== '' && isAlive(holder)
}

async function removeOld(folder: string, last: number): Promise<void> {
  const isOld = (name: string): boolean => {
    const [kind, identity = ''] = name.split('.')
    return kind === 'ticket' ? !isAlive(identity) : Number(name) <= last
  }
  await Promise.all((await readdir(folder)).filter(isOld).map((name) => rm(join(folder, name), { force: true })))
}
