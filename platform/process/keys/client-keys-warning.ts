import type { ListedKey } from '../../../engines/identity/service-keys/service-keys.ts'
import { messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

/**
 * Says once at the start that no key of a verification client exists: a platform without any runs, and takes no job.
 * @param given - how many keys VERIFICATION_API_KEYS names
 */
export function clientKeysWarning(given: number, stored: { list(): Promise<readonly ListedKey[]> }, log: Log): Part {
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    try {
      const now = new Date()
      if ((await stored.list()).some(({ endsAt }) => endsAt === null || endsAt > now)) return
      log.warn({}, 'no verification client can call: make a key with "npm run civigraph -- keys create NAME", or set VERIFICATION_API_KEYS')
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'the keys of verification clients could not be read')
    }
  }
  return {
    name: 'warning about keys',
    // a start does not wait for it
    async start() {
      if (given === 0) looking = look()
    },
    async stop() {
      await looking
    },
  }
}
