import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestFile } from './installed-models.ts'
import type { ModelManifest } from './model-manifest.ts'

/**
 * Makes a folder with all its files an installed model, in one step: nobody sees half of it, and a model of the same name makes room in the
 * same moment.
 * @param partial - in `modelsFolder`, its name begins with a dot
 */
export async function installModel(partial: string, manifest: ModelManifest, modelsFolder: string): Promise<void> {
  await writeFile(join(partial, manifestFile), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const folder = join(modelsFolder, manifest.name)
  const old = `${partial}-old`
  await rm(old, { recursive: true, force: true })
  const hadOne = await rename(folder, old).then(
    () => true,
    () => false,
  )
  try {
    await rename(partial, folder)
  } catch (error) {
    if (hadOne) await rename(old, folder)
    throw error
  }
  await rm(old, { recursive: true, force: true })
}
