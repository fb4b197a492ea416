import { readdir, readFile } from 'node:fs/promises'

/** A process and all its descendants, ancestors first: PostgreSQL serves from child processes. */
export async function processTree(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const started = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')))
  const children = started.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(processTree))).flat()]
}

/** Sends a signal to all of them; ended processes are ignored. */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  for (const each of await processTree(pid)) signalIfThere(each, signal)
}

export function isRunning(pid: number): boolean {
  return signalIfThere(pid, 0)
}

function signalIfThere(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
