import type { Part } from '../../foundation/lifecycle.ts'

/** Started after all serving parts and stopped before them: whether the process accepts work. */
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
