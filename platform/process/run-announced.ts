import type { Config } from '../../foundation/config/config.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { readBuildInfo } from '../../foundation/process/build-info.ts'
import type { Say } from '../commands/command.ts'
import type { ComposedProcess } from '../composition.ts'
import { runUntilSignal } from './signals.ts'

export type Line = readonly [what: string, value: string]

/** Starts a composed process, prints its addresses and runs it until a signal. @param what - name in the first line */
export async function runAnnounced(
  { part, addresses, absences }: ComposedProcess,
  { production }: Config,
  log: Log,
  what: string,
  credentials: readonly Line[],
  say: Say,
): Promise<void> {
  await runUntilSignal(part, log, () => {
    say(`Civigraph ${readBuildInfo().version}, ${production ? 'production' : 'development'}: ${what}`)
    for (const [name, value] of [...addresses(), ...credentials]) say(`  ${name.padEnd(24)}${value}`)
    for (const absence of absences()) say(`  without                 ${absence}; requests that need it get 503 until it is available`)
    say(`ready in ${Math.round(performance.now())} ms`)
  })
}

/** Returns the message of an unexpected start failure, with the next step if known. */
export function startFailure(error: unknown): string {
  const message = messageOf(error)
  return /\bENOSPC\b/.test(message)
    ? `A disk is full (${message}). Free space for DATA_DIR and temporary files, then start again.`
    : message
}
