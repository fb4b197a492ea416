import { readFileSync } from 'node:fs'
import { type SecretFile, sha256Of } from '../../foundation/config/config.ts'
import { messageOf } from '../../foundation/fault.ts'
import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

const defaultCheckMs = 60_000

/** Logs once per change when a secret file changes after the start, since secrets are read only at the start. Never logs a secret. */
export function secretFilesWatch(files: readonly SecretFile[], log: Pick<Log, 'warn'>, everyMs = defaultCheckMs): Part {
  const reported = new Map<string, string>()
  const check = ({ name, file, sha256 }: SecretFile): void => {
    const digest = stateOf(file)
    if (digest !== sha256 && digest !== reported.get(name))
      log.warn({ setting: name, file }, 'a secret file has changed; secrets are read only at the start: restart this process')
    reported.set(name, digest)
  }
  return periodic(
    'secret files',
    everyMs,
    async () => files.forEach(check),
    (error) => log.warn({ err: error }, 'could not check secret files'),
  )
}

function stateOf(file: string): string {
  try {
    return sha256Of(readFileSync(file))
  } catch (error) {
    return messageOf(error)
  }
}
