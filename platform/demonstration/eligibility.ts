import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../foundation/config/config.ts'

/** Whether this platform shows demonstration data: only where nothing is real, and everything is in this process. */
export function showsDemonstrationData({ production, database, redis, ingest, demonstrationData }: Config, alone: boolean): boolean {
  return demonstrationData && alone && !production && database.urls === undefined && redis === undefined && ingest.auth !== 'token'
}

/** Whether this platform shows the demonstration's magazine: only where nothing is real, and everything is in this process. */
export function showsDemonstrationTree({ production, database, cassandra, demonstrationData }: Config, alone: boolean): boolean {
  return demonstrationData && alone && !production && database.urls === undefined && cassandra === undefined
}

/** Whether an empty list of delegations gets some to look at: where nothing is real, in whichever process keeps them. */
export function showsDemonstrationDelegations({ production, database, demonstrationData, dataDir }: Config): boolean {
  return demonstrationData && !production && database.urls === undefined && !isDemonstrationRemoved(dataDir)
}

/** A file of its own, so that nobody who keeps progress overwrites it. */
const markOf = (dataDir: string): string => join(dataDir, 'demonstration-removed')

/** Whether somebody has removed the demonstration from this platform: it is not to come again. */
export const isDemonstrationRemoved = (dataDir: string): boolean => existsSync(markOf(dataDir))

export const markDemonstrationRemoved = (dataDir: string): Promise<void> => writeFile(markOf(dataDir), '')
