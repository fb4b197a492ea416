import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InstalledModel } from '../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../engines/inference/model-manifest.ts'
import { OnnxGraph } from '../../../engines/inference/onnx-writer.ts'

/**
 * A model with the inputs and outputs of SFace, with its weights among the inputs as in the published file. Its vector is derived from the
 * mean red, green and blue of a face.
 */
export function tinySface(input = 'data'): Uint8Array {
  const graph = new OnnxGraph()
  const face = graph.input(input, 'float32', [1, 3, 112, 112])
  const weights = graph.floats(
    Float32Array.from({ length: 3 * 128 }, (_, n) => (n % 128 === Math.floor(n / 128) ? 1 : 0)),
    [3, 128],
  )
  graph.input(weights, 'float32', [3, 128])
  const means = graph.operator('Reshape', [graph.operator('GlobalAveragePool', [face]), graph.integers([1, 3])])
  graph.operator('MatMul', [means, weights], {}, 'vector')
  graph.output('vector', [1, 128])
  return graph.toModel('tiny sface')
}

/** Installed like a downloaded model. */
export function installSface(modelsFolder: string, file: Uint8Array): InstalledModel<PackagedManifest> {
  const folder = join(modelsFolder, 'sface')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sface.onnx'), file)
  const manifest: PackagedManifest = {
    name: 'sface',
    version: 'made',
    task: 'face-descriptor',
    licence: 'CC0-1.0',
    languages: [],
    source: 'https://models.example/sface',
    package: { registry: 'pypi', name: 'made', version: '1.0', archive: 'made-1.0-py3-none-any.whl' },
    files: [{ path: 'sface.onnx', member: 'sface.onnx', bytes: file.length, sha256: '0'.repeat(64) }],
  }
  return { folder, manifest }
}
