import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { PackagedManifest } from '../model-manifest.ts'

/** Models that can be pulled by name, with the checksums of their files. */
export const builtInModels: readonly PackagedManifest[] = readData(
  'engines/inference/packaged-models/built-in-models.json',
  z.array(PackagedManifest),
)
