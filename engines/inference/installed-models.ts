import { createHash, hash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../../foundation/fault.ts'
import { type EncoderManifest, type ModelManifest, type ModelTask, type PackagedManifest, readManifest } from './model-manifest.ts'

export const manifestFile = 'manifest.json'

export interface InstalledModel<Manifest extends ModelManifest = ModelManifest> {
  /** absolute */
  readonly folder: string
  readonly manifest: Manifest
}

/** Returns the models in a folder by name. A model is a folder with a manifest; names with a leading dot are incomplete. */
export function installedModels(modelsFolder: string): readonly InstalledModel[] {
  return foldersIn(modelsFolder).map((name) => {
    const folder = join(modelsFolder, name)
    return { folder, manifest: readManifest(readFileSync(join(folder, manifestFile), 'utf8'), join(folder, manifestFile)) }
  })
}

const called: Readonly<Record<ModelTask, string>> = {
  'sentence-encoder': 'encoders',
  'face-descriptor': 'face descriptors',
  'document-reader': 'document readers',
}

/**
 * Returns the installed encoder. @throws {Error} if there are several, or a file is missing or has another size: the meaning of vectors would be
 * undefined
 */
export function installedEncoder(modelsFolder: string): InstalledModel<EncoderManifest> | undefined {
  const encoders = installedModels(modelsFolder).flatMap(({ folder, manifest }) =>
    manifest.task === 'sentence-encoder' ? [{ folder, manifest }] : [],
  )
  return onlyWhole(encoders, modelsFolder)
}

/**
 * Returns an installed packaged model, after checking the SHA-256 of all files, since it decides on identities (49 MB in 0.2 s on a busy machine).
 * @throws {Error} as `installedEncoder`, and if a file has another SHA-256
 */
export function installedPackage(modelsFolder: string, task: PackagedManifest['task']): InstalledModel<PackagedManifest> | undefined {
  const models = installedModels(modelsFolder).flatMap(({ folder, manifest }) =>
    manifest.task === task && 'package' in manifest ? [{ folder, manifest }] : [],
  )
  const model = onlyWhole(models, modelsFolder)
  if (model !== undefined) refuseOtherContent(model)
  return model
}

function refuseOtherContent({ folder, manifest: { name, files } }: InstalledModel): void {
  for (const file of files) {
    const path = join(folder, file.path)
    if (hash('sha256', readFileSync(path)) !== file.sha256)
      throw new Error(`${path} has a wrong SHA-256: install it again with npm run civigraph -- models pull ${name}`)
  }
}

function onlyWhole<Manifest extends ModelManifest>(
  [model, ...others]: readonly InstalledModel<Manifest>[],
  modelsFolder: string,
): InstalledModel<Manifest> | undefined {
  if (model === undefined) return undefined
  if (others.length > 0) {
    const names = [model, ...others].map(({ manifest }) => manifest.name).join(', ')
    throw new Error(`${modelsFolder} contains several ${called[model.manifest.task]} (${names}): keep only one`)
  }
  for (const { path, bytes } of model.manifest.files) {
    const actualBytes = statSync(join(model.folder, path), { throwIfNoEntry: false })?.size
    if (actualBytes !== bytes)
      throw new Error(
        `${join(model.folder, path)} ${actualBytes === undefined ? 'is missing' : `has ${actualBytes} bytes instead of ${bytes}`}`,
      )
  }
  return model
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** @returns one sentence per file that does not match the manifest */
export async function verifyModel({ folder, manifest }: InstalledModel): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { path, bytes, sha256 } of manifest.files) {
    const size = statSync(join(folder, path), { throwIfNoEntry: false })?.size
    if (size === undefined) problems.push(`${path} is missing`)
    else if (size !== bytes) problems.push(`${path} has ${size} bytes instead of ${bytes}`)
    else if ((await sha256Of(join(folder, path))) !== sha256) problems.push(`${path} has a wrong SHA-256`)
  }
  return problems
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
