import type { Part } from '../../../foundation/lifecycle.ts'

/** Calls `onReload` for each SIGHUP, which would otherwise end the process. */
export function reloadSignal(onReload: () => void): Part {
  return {
    name: 'reload signal',
    async start() {
      process.on('SIGHUP', onReload)
    },
    async stop() {
      process.off('SIGHUP', onReload)
    },
  }
}
