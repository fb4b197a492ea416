import { constants, setPriority } from 'node:os'

/**
 * Lets the thread that calls it, and every thread that it starts from then on, work only with the time that others leave (nice 10): heavy
 * arithmetic must not hold up those who answer clients. Linux gives each thread a priority of its own (setpriority(2), "C library/kernel
 * differences"); elsewhere the call would reach the whole process and is left out.
 */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}
