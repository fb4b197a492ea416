import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { PackagedManifest } from '../model-manifest.ts'

/** Models that are pulled by name: we have had their files in hand, and say what they must be. */
export const builtInModels: readonly PackagedManifest[] = readData(
  'engines/inference/packaged-models/built-in-models.json',
  z.array(PackagedManifest),
)
