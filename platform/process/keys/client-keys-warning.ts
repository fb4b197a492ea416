import type { ListedKey } from '../../../engines/identity/service-keys/service-keys.ts'
import { messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

/** Warns at the start if no verification client has a key. @param configured - number of keys in VERIFICATION_API_KEYS */
export function clientKeysWarning(configured: number, stored: { list(): Promise<readonly ListedKey[]> }, log: Log): Part {
  let check: Promise<void> | undefined
  const warnWithoutKeys = async (): Promise<void> => {
    try {
      const now = new Date()
      if ((await stored.list()).some(({ endsAt }) => endsAt === null || endsAt > now)) return
      log.warn(
        {},
        'no verification client has a key: create one with "npm run civigraph -- keys create NAME", or set VERIFICATION_API_KEYS',
      )
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'could not read the keys of verification clients')
    }
  }
  return {
    name: 'warning about keys',
    // the start does not wait for it
    async start() {
      if (configured === 0) check = warnWithoutKeys()
    },
    async stop() {
      await check
    },
  }
}
