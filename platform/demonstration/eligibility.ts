import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../foundation/config/config.ts'

/** Whether to load demonstration expressions: only in development, with everything in this process. */
export function showsDemonstrationData({ production, database, redis, ingest, demonstrationData }: Config, alone: boolean): boolean {
  return demonstrationData && alone && !production && database.urls === undefined && redis === undefined && ingest.auth !== 'token'
}

/** Whether to load the demonstration magazine: only in development, with everything in this process. */
export function showsDemonstrationTree({ production, database, cassandra, demonstrationData }: Config, alone: boolean): boolean {
  return demonstrationData && alone && !production && database.urls === undefined && cassandra === undefined
}

/** Whether to fill an empty list of delegations: only in development, in any process that stores them. */
export function showsDemonstrationDelegations({ production, database, demonstrationData, dataDir }: Config): boolean {
  return demonstrationData && !production && database.urls === undefined && !isDemonstrationRemoved(dataDir)
}

/** A separate file, so that writing progress does not overwrite it. */
const markOf = (dataDir: string): string => join(dataDir, 'demonstration-removed')

/** Whether the demonstration was removed from this platform and must not be loaded again. */
export const isDemonstrationRemoved = (dataDir: string): boolean => existsSync(markOf(dataDir))

export const markDemonstrationRemoved = (dataDir: string): Promise<void> => writeFile(markOf(dataDir), '')
