import { workerData } from 'node:worker_threads'

/** A thread beside Typst, which has no limits and cannot be cancelled: ends the process if it exceeds its memory or outlives its caller. */

export interface GuardLimits {
  readonly memoryBytes: number
  readonly timeMs: number
}

const checkEveryMs = 20
/** the caller ends the process in time; this is for an orphaned process */
const graceMs = 1000

const { memoryBytes, timeMs } = workerData as GuardLimits
const end = (): boolean => process.kill(process.pid, 'SIGKILL')
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) end()
}, checkEveryMs)
setTimeout(end, timeMs + graceMs)
