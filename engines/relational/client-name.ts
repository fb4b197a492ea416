import { readBuildInfo } from '../../foundation/process/build-info.ts'

/** Returns the application_name of connections: release and purpose. Releases before 1.1 did not set it. */
export const clientName = (purpose?: string): string =>
  ['civigraph', readBuildInfo().version, ...(purpose === undefined ? [] : [purpose])].join(' ')

/** @returns the release of a connection; undefined before 1.1 */
export const releaseOfClient = (name: string): string | undefined => /^civigraph (\d+\.\d+\.\d+)/.exec(name)?.[1]
