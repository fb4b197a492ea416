import { workerData } from 'node:worker_threads'

/** A thread beside Typst, which neither stops nor counts by itself: ends the process that takes too much, or that nobody else will end. */

export interface GuardLimits {
  readonly memoryBytes: number
  readonly timeMs: number
}

const checkEveryMs = 20
/** whoever waits ends the process in time; this is for a process that was left behind */
const graceMs = 1000

const { memoryBytes, timeMs } = workerData as GuardLimits
const end = (): boolean => process.kill(process.pid, 'SIGKILL')
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) end()
}, checkEveryMs)
setTimeout(end, timeMs + graceMs)
