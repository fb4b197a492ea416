import type { Roles } from './roles.ts'

/**
 * How the C library keeps the memory of models: in one arena for all threads, and pieces from 4 MB go back to the system as soon as they are free. Of itself it has an arena
 * for each thread, and each keeps what the largest page needed. Pieces that come again are asked for in pages of 2 MB, where the system has them: to be given memory costs half as long. Read by it only when a program begins.
 * @see mallopt(3), "Environment variables"; the manual of the GNU C library, "Memory Allocation Tunables"
 */
const frugal = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '4194304',
  MALLOC_TRIM_THRESHOLD_: '134217728',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
}

/**
 * Begins this program anew, as the same process, with an allocator that suits the models of verification; what the environment says of it already stands.
 * Does nothing for roles without these models, where the system cannot do it, and the second time.
 * @see execve(2)
 */
export function beginFrugally({ workers }: Roles, environment: NodeJS.ProcessEnv): void {
  const begun = Object.keys(frugal).every((name) => environment[name] !== undefined)
  // a channel to whoever started this process would be lost
  if (begun || !workers.includes('verification') || process.platform !== 'linux' || process.connected) return
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], { ...frugal, ...environment })
}
