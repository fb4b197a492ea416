import type { Config } from '../foundation/config/config.ts'
import { messageOf } from '../foundation/fault.ts'
import { isDiskFullError } from '../foundation/health/stalled.ts'
import type { Log } from '../foundation/log.ts'
import { readBuildInfo } from '../foundation/process/build-info.ts'
import type { WriteLine } from './commands/command.ts'
import type { ComposedProcess } from './engines/composition.ts'
import type { Line } from './process/keys/credential-lines.ts'
import { runUntilSignal } from './process/signals.ts'

/** Starts a composed process, prints its addresses and runs it until a signal. @param what - name in the first line */
export async function runAnnounced(
  { part, addresses, absences }: ComposedProcess,
  { production, drainDelayMs }: Config,
  log: Log,
  what: string,
  credentials: readonly Line[],
  writeLine: WriteLine,
): Promise<void> {
  await runUntilSignal(part, { log, drainDelayMs }, () => {
    const build = readBuildInfo()
    const ready = `ready in ${Math.round(performance.now())} ms`
    if (production) {
      log.info({ ...build, roles: what, addresses: Object.fromEntries(addresses()), absences: absences() }, ready)
      return
    }
    writeLine(`Civigraph ${build.version}, development: ${what}`)
    for (const [name, value] of [...addresses(), ...credentials]) writeLine(`  ${name.padEnd(24)}${value}`)
    for (const absence of absences()) writeLine(`  without                 ${absence}; requests that need it get 503 until it is available`)
    writeLine(ready)
  })
}

/** Returns the message of an unexpected start failure, with the next step if known. */
export function startFailure(error: unknown): string {
  const message = messageOf(error)
  return isDiskFullError(error) ? `A disk is full (${message}). Free space for DATA_DIR and temporary files, then start again.` : message
}
