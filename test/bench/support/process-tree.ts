import { readdir, readFile } from 'node:fs/promises'

/** clock ticks per second of /proc on Linux */
const ticks = 100

interface ProcessTimes {
  readonly parent: number
  /** of the process and of its ended children */
  readonly seconds: number
}

async function timesOf(pid: string): Promise<readonly [number, ProcessTimes][]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // the name in parentheses may contain spaces
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (parent === undefined) return []
  const [user, system, childrenUser, childrenSystem] = rest.slice(9, 13).map(Number)
  return [
    [Number(pid), { parent: Number(parent), seconds: ((user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0)) / ticks }],
  ]
}

/** Returns the processor seconds of each of these processes with its descendants, except those that are among the others. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<readonly number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = new Map((await Promise.all(names.map(timesOf))).flat())
  const rootOf = (pid: number): number | undefined => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent) if (pids.includes(at)) return at
    return undefined
  }
  const sums = new Map<number, number>()
  for (const [pid, { seconds }] of processes) {
    const root = rootOf(pid)
    if (root !== undefined) sums.set(root, (sums.get(root) ?? 0) + seconds)
  }
  return pids.map((pid) => sums.get(pid) ?? 0)
}
