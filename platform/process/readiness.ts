import type { Part } from '../../foundation/lifecycle.ts'

/** Started after everything that serves and stopped before it: tells whether the process takes work. */
export function createReadiness(): Part & { readonly isReady: boolean } {
  let isReady = false
  return {
    name: 'readiness',
    get isReady() {
      return isReady
    },
    async start() {
      isReady = true
    },
    async stop() {
      isReady = false
    },
  }
}
