import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Weight } from '../../inference/onnx-layers.ts'

/** The npm package (MIT) whose folder `model/` contains the trained weights. */
export const weightsPackage = '@vladmandic/face-api'

const Manifest = z.array(
  z.object({
    paths: z.array(z.string()),
    weights: z.array(
      z.object({
        name: z.string(),
        shape: z.array(z.number().int().positive()),
        dtype: z.enum(['float32', 'int32']),
        quantization: z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }).optional(),
      }),
    ),
  }),
)

export type FaceModel = 'ssd_mobilenetv1_model' | 'face_landmark_68_model' | 'face_recognition_model' | 'age_gender_model'

/** Returns the paths of a model's manifest and of the shards it names. @throws if the package is not installed */
export function weightFiles(model: FaceModel): { readonly manifest: string; readonly shards: readonly string[] } {
  const folder = join(dirname(createRequire(import.meta.url).resolve(`${weightsPackage}/package.json`)), 'model')
  const manifest = join(folder, `${model}-weights_manifest.json`)
  const groups = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')))
  return { manifest, shards: groups.flatMap((group) => group.paths.map((path) => join(folder, path))) }
}

/**
 * Reads a model in the weights format of TensorFlow.js: tensors are contiguous in the joined shards, in manifest order. @throws if a file is missing
 * or does not have the size in its manifest
 */
export function readWeights(model: FaceModel): ReadonlyMap<string, Weight> {
  const { manifest, shards } = weightFiles(model)
  const groups = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')))
  const data = Buffer.concat(shards.map((path) => readFileSync(path)))
  const weights = new Map<string, Weight>()
  let at = 0
  for (const { name, shape, quantization } of groups.flatMap((group) => group.weights)) {
    const length = shape.reduce((product, size) => product * size, 1) * (quantization === undefined ? 4 : 1)
    weights.set(name, { shape, raw: data.subarray(at, at + length), quantization })
    at += length
  }
  if (at !== data.length) throw new Error(`The weights of ${model} have ${data.length} bytes instead of the ${at} in the manifest`)
  return weights
}
