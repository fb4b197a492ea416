import { setPriority } from 'node:os'

/** A fifth of the weight of those who answer: they go first, and nobody starves beside other busy programs. */
const nice = 7

/**
 * Lets the thread that calls it, and every thread that it starts from then on, give way to others (nice 7): heavy
 * arithmetic must not hold up those who answer clients. Linux gives each thread a priority of its own (setpriority(2), "C library/kernel
 * differences"); elsewhere the call would reach the whole process and is left out.
 */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, nice)
}
