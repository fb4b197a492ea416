import { readFileSync } from 'node:fs'
import ort from 'onnxruntime-node'
import type { Weight } from '../../inference/onnx-layers.ts'
import { ageSize, faceAgeGraph } from './face-age-graph.ts'
import { chipSize, faceDescriptorGraph } from './face-descriptor-graph.ts'
import { detectorSize, faceDetectorGraph } from './face-detector-graph.ts'
import { faceLandmarkGraph, landmarkSize } from './face-landmark-graph.ts'
import { type FaceModel, readWeights } from './face-weights.ts'
import { fastSface, sfaceInput, sfaceSize } from './sface-graph.ts'

type Graph = (weights: ReadonlyMap<string, Weight>) => Uint8Array

/** The loaded networks: each call takes one square RGB byte image with the edge stated in its graph file. */
export interface FaceModels {
  /** 5118 candidates: `boxes` top, left, bottom, right as shares of the edge; `scores` 0..1. */
  detect(square: Uint8Array): Promise<{ readonly boxes: Float32Array; readonly scores: Float32Array }>
  /** x and y of 68 points alternating, as shares of the edge. */
  landmarks(square: Uint8Array): Promise<Float32Array>
  /** Apparent age in years. */
  apparentAge(square: Uint8Array): Promise<number>
  /** 128 numbers of length `descriptorLength`, averaged over the chip and its mirror image. */
  describe(chip: Uint8Array): Promise<Float32Array>
  /** 128 numbers of length 1 by SFace, averaged over the chip and its mirror image; absent if SFace is not installed. */
  readonly recognise?: ((chip: Uint8Array) => Promise<Float32Array>) | undefined
}

/**
 * Loads the bundled networks, and SFace if its file is given. Reads the weights, builds ONNX models in memory and loads them (about 0.4 s). One
 * thread each: callers run concurrently. Uses onnxruntime's memory arena, which retains the memory of the largest run; without it the C heap
 * fragments (180 images on two threads: 1.1 GB for the process instead of 750 MB).
 */
export async function openFaceModels(executionProviders: readonly string[], sfaceFile?: string): Promise<FaceModels> {
  const session = (model: Uint8Array, more: ort.InferenceSession.SessionOptions = {}): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(model, {
      executionProviders: [...executionProviders],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableCpuMemArena: true,
      enableMemPattern: false,
      logSeverityLevel: 3,
      ...more,
    })
  const open = (model: FaceModel, graph: Graph): Promise<ort.InferenceSession> => session(graph(readWeights(model)))
  const detector = await open('ssd_mobilenetv1_model', faceDetectorGraph)
  const landmarks = await open('face_landmark_68_model', faceLandmarkGraph)
  const descriptor = await open('face_recognition_model', faceDescriptorGraph)
  const age = await open('age_gender_model', faceAgeGraph)
  // dequantises the weights once instead of per face: 21 ms instead of 41
  const sface = sfaceFile && (await session(fastSface(readFileSync(sfaceFile)), { extra: { session: { disable_quant_qdq: '1' } } }))
  return {
    recognise: sface ? (chip) => recognise(sface, chip) : undefined,
    async detect(square) {
      const output = await detector.run({ image: tensor(square, detectorSize) })
      return { boxes: floats(output.boxes), scores: floats(output.scores) }
    },
    async landmarks(square) {
      return floats((await landmarks.run({ image: tensor(square, landmarkSize) })).points)
    },
    async apparentAge(square) {
      return floats((await age.run({ image: tensor(square, ageSize) })).age)[0] ?? Number.NaN
    },
    describe: (chip) => describe(descriptor, chip),
  }
}

const tensor = (square: Uint8Array, edge: number): ort.Tensor => new ort.Tensor('uint8', square, [1, edge, edge, 3])

function floats(value: ort.OnnxValue | undefined): Float32Array {
  if (value instanceof ort.Tensor && value.data instanceof Float32Array) return value.data
  throw new Error('A face model did not return numbers')
}

/** Approximate length of descriptors of photographs; the remaining variation carries no identity. */
const descriptorLength = 1.4

/** Processes both in one run. */
async function describe(descriptor: ort.InferenceSession, chip: Uint8Array): Promise<Float32Array> {
  const both = new Uint8Array(2 * chip.length)
  both.set(chip)
  for (let at = 0; at < chip.length; at += 3) {
    const pixel = at / 3
    const x = pixel % chipSize
    both.set(chip.subarray(at, at + 3), chip.length + (pixel - x + (chipSize - 1 - x)) * 3)
  }
  const descriptors = floats((await descriptor.run({ image: new ort.Tensor('uint8', both, [2, chipSize, chipSize, 3]) })).descriptor)
  const size = descriptors.length / 2
  const sum = descriptors.subarray(0, size).map((value, place) => value + (descriptors[size + place] ?? 0))
  const length = Math.hypot(...sum)
  return sum.map((value) => (value * descriptorLength) / length)
}

async function recognise(sface: ort.InferenceSession, chip: Uint8Array): Promise<Float32Array> {
  const sum = new Float32Array(recognisedSize)
  for (const mirrored of [false, true]) {
    const [answer] = Object.values(await sface.run({ [sfaceInput]: planes(chip, mirrored) }))
    const vector = floats(answer)
    const length = Math.hypot(...vector)
    for (const [place, value] of vector.entries()) sum[place] = (sum[place] ?? 0) + value / length
  }
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

const recognisedSize = 128

/** Channels one after the other instead of interleaved. */
function planes(chip: Uint8Array, mirrored: boolean): ort.Tensor {
  const area = sfaceSize * sfaceSize
  const data = new Float32Array(3 * area)
  for (let pixel = 0; pixel < area; pixel++) {
    const x = pixel % sfaceSize
    const from = mirrored ? pixel - x + (sfaceSize - 1 - x) : pixel
    for (let channel = 0; channel < 3; channel++) data[channel * area + pixel] = chip[from * 3 + channel] ?? 0
  }
  return new ort.Tensor('float32', data, [1, 3, sfaceSize, sfaceSize])
}
