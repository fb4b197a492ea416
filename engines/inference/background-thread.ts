import { setPriority } from 'node:os'

/** A fifth of the CPU weight of request threads, which take precedence; no thread starves. */
const nice = 7

/**
 * Lowers the priority of the calling thread and of threads it starts (nice 7), so that inference does not delay responses. Only on Linux, where each
 * thread has its own priority (setpriority(2), "C library/kernel differences"); elsewhere the call would affect the whole process.
 */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, nice)
}
