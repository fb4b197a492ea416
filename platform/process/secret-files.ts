import { readFileSync } from 'node:fs'
import { type SecretFile, sha256Of } from '../../foundation/config/config.ts'
import { messageOf } from '../../foundation/fault.ts'
import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

const usualLookMs = 60_000

/**
 * Says in the log when the file of a secret holds something else than at the start, once for each change: nothing of it is taken up before the
 * next one. Neither what it held nor what it holds is told.
 */
export function secretFilesWatch(files: readonly SecretFile[], log: Pick<Log, 'warn'>, everyMs = usualLookMs): Part {
  const told = new Map<string, string>()
  const look = ({ name, file, sha256 }: SecretFile): void => {
    const found = stateOf(file)
    if (found !== sha256 && found !== told.get(name))
      log.warn({ setting: name, file }, 'the file of a secret has changed; it is read at the start alone: start this process again')
    told.set(name, found)
  }
  return periodic(
    'files of secrets',
    everyMs,
    async () => files.forEach(look),
    (error) => log.warn({ err: error }, 'files of secrets'),
  )
}

function stateOf(file: string): string {
  try {
    return sha256Of(readFileSync(file))
  } catch (error) {
    return messageOf(error)
  }
}
