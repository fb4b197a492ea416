import { readBuildInfo } from '../../foundation/process/build-info.ts'

/** Returns the name of a connection (application_name): its release and its purpose. Release 1.0 did not send its own. */
export const clientName = (purpose?: string): string =>
  ['civigraph', readBuildInfo().version, ...(purpose === undefined ? [] : [purpose])].join(' ')

/** Returns the release in the name of a connection; undefined for release 1.0. */
export const releaseOfClient = (name: string): string | undefined => /^civigraph (\d+\.\d+\.\d+(?:-[\w.]+)?)(?= |$)/.exec(name)?.[1]
