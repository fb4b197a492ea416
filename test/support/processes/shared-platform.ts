import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { SharedPlatform } from '../run/shared-platforms.ts'
import type { Platform, SharedLayout } from './platform.ts'

/**
 * The platform of a layout that the journeys of a run share. A file calls it once, uses only its own data (citizens, ids, tenants,
 * paths), and does not change processes and settings.
 * @returns with a key and a callback secret of this file only
 */
export async function sharedPlatform(layout: SharedLayout): Promise<Platform & Pick<SharedPlatform, 'callbackSecret'>> {
  const response = await fetch(`${inject('sharedPlatforms')}/${layout}`)
  if (!response.ok) throw new Error(await response.text())
  const { processes, ...platform } = (await response.json()) as SharedPlatform
  return { ...platform, processes: processes.map(({ roles, log }) => ({ roles, output: () => readFileSync(log, 'utf8') })) }
}
