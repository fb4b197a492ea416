import { readBuildInfo } from '../../foundation/process/build-info.ts'

/** By which the server knows a connection of ours (application_name): whose release it is, and what it is for. Releases before 1.1 did not say theirs. */
export const clientName = (purpose?: string): string =>
  ['civigraph', readBuildInfo().version, ...(purpose === undefined ? [] : [purpose])].join(' ')

/** @returns the release of a connection of ours; undefined when it is before 1.1 */
export const releaseOfClient = (name: string): string | undefined => /^civigraph (\d+\.\d+\.\d+)/.exec(name)?.[1]
