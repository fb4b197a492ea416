import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestFile } from './installed-models.ts'
import type { ModelManifest } from './model-manifest.ts'

/** Installs a folder as a model atomically, replacing a model of the same name. @param partial - in `modelsFolder`, its name begins with a dot */
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
